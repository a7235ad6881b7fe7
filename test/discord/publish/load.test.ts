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
  for (const subject of ['cars', 'people']) mkdirSync(join(folder, subject));
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

test('loads the commands of all subjects by their names, and nothing else of a subject', async () => {
  for (const name of ['cars/zebra', 'people/ant', 'people/two-words', 'cars/größe'])
    writeFileSync(join(folder, `${name}.ts`), good);
  for (const name of ['.keep', 'README.md', 'subjects.ts', 'cars/.keep', 'cars/README.md', 'cars/feature.ts'])
    writeFileSync(join(folder, name), '');
  mkdirSync(join(folder, 'cars', 'cards'));
  writeFileSync(join(folder, 'cars', 'cards', 'Car.txt'), '');
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
  writeFileSync(join(folder, 'people', 'fine.ts'), good);
  writeFileSync(join(folder, 'cars', name), text);
  const failure = await load().then(
    () => null,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(StartError);
  expect(String(failure)).toContain(`commands/cars/${name} is not a command`);
  expect(String(failure)).toMatch(says);
  expect(String(failure)).not.toContain('\n');
});

test('a folder without a command stops the start', async () => {
  await expect(load()).rejects.toThrow(/holds no command/);
});

test('a command that lies in no folder of a subject stops the start and is named', async () => {
  writeFileSync(join(folder, 'car.ts'), good);
  await expect(load()).rejects.toThrow('commands/car.ts is not a command: it lies in no folder of a subject');
});

test('two commands of one name stop the start, and both are named', async () => {
  for (const subject of ['cars', 'people']) writeFileSync(join(folder, subject, 'car.ts'), good);
  await expect(load()).rejects.toThrow(
    'commands/people/car.ts is not a command: commands/cars/car.ts is a command of the same name',
  );
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
