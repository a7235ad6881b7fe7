import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StartError } from '../../../src/base/errors.ts';
import { defineCommand } from '../../../src/command-kit/command.ts';
import { loadCommands } from '../../../src/discord/publish/load.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pitwall-commands-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const load = () => loadCommands(pathToFileURL(`${folder}/`));
const good = `export default { description: 'd', topic: 'bot', options: {}, visibility: 'public', run: async () => ({}) };`;

const listOf = (count: number, each: string) =>
  `{ ${Array.from({ length: count }, (_, n) => `n${n}: ${each}`).join(', ')} }`;
const form = (fields: string) => good.replace('{}', `{}, form: { fields: ${fields} }`);

test('the commands of the bot load, each under the name of its file', async () => {
  const commands = await loadCommands(new URL('../../../commands/', import.meta.url));
  expect([...commands.keys()]).toEqual(expect.arrayContaining(['car', 'profile']));
});

test('loads commands in the order of their names, without hidden files and README', async () => {
  for (const name of ['zebra', 'ant', 'two-words', 'größe']) writeFileSync(join(folder, `${name}.ts`), good);
  for (const name of ['.keep', 'README.md']) writeFileSync(join(folder, name), '');
  expect([...(await load()).keys()]).toEqual(['ant', 'größe', 'two-words', 'zebra']);
});

test.for([
  ['notes.txt', '', /only TypeScript files/],
  ['Upper.ts', good, /lower case/],
  ['two words.ts', good, /name/],
  [`${'x'.repeat(33)}.ts`, good, /name/],
  ['nothing.ts', 'export const x = 1;', /no default export/],
  ['thrown.ts', 'throw new Error("on import");', /cannot be loaded.*on import/],
  ['number.ts', 'export default 3;', /default export is not what/],
  ['function.ts', 'export default () => {};', /default export is not what/],
  ['no-run.ts', good.replace('run: async () => ({})', ''), /default export is not what/],
  ['option.ts', good.replace('{}', '{ Player: {} }'), /Player is not all lower case/],
  ['options.ts', good.replace('{}', listOf(25, '{}')), /options are more than 24/],
  ['choices.ts', good.replace('{}', `{ a: { choices: ${listOf(26, "'c'")} } }`), /choices are more than 25/],
  ['fields.ts', form(listOf(6, "{ kind: 'text' }")), /fields are more than 5/],
  ['torn.ts', form("{ a: { kind: 'choice', choices: { 'a,b': 'c' } } }"), /a,b is a choice with a comma/],
] as const)('%s, which is not a command, stops the start and is named', async ([name, text, says]) => {
  writeFileSync(join(folder, 'fine.ts'), good);
  writeFileSync(join(folder, name), text);
  const failure = await load().then(
    () => null,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(StartError);
  expect(String(failure)).toContain(`commands/${name}`);
  expect(String(failure)).toMatch(says);
  expect(String(failure)).not.toContain('\n');
});

test('a folder among the commands and an empty folder of commands stop the start', async () => {
  await expect(load()).rejects.toThrow(/holds no command/);
  mkdirSync(join(folder, 'more.ts'));
  await expect(load()).rejects.toThrow(/commands\/more\.ts/);
});

test('the compiler refuses a reserved option name, and an example of a missing option', () => {
  const flag = { kind: 'flag', description: 'privacy.description', required: false } as const;
  const common = { description: 'privacy.description', topic: 'bot', visibility: 'public' } as const;
  const run = async () => ({ content: '' });
  // @ts-expect-error `private` is what visibility 'choice' adds.
  defineCommand({ ...common, options: { private: flag }, run });
  // @ts-expect-error There is no such option.
  defineCommand({ ...common, options: { loud: flag }, example: ['silent'], run });
  expect(defineCommand({ ...common, options: { loud: flag }, example: ['loud'], run }).example).toEqual([
    'loud',
  ]);
});
