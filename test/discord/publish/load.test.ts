import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StartError } from '../../../src/base/errors.ts';
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

test('the commands of the bot load, each under the name of its file', async () => {
  const commands = await loadCommands(new URL('../../../commands/', import.meta.url));
  expect([...commands.keys()]).toEqual(expect.arrayContaining(['car', 'profile']));
});

test('commands come in the order of their names; hidden files and the README are left alone', async () => {
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
  ['number.ts', 'export default 3;', /expected object/],
  ['function.ts', 'export default () => {};', /expected object/],
  ['no-run.ts', good.replace('run: async () => ({})', ''), /run: is not a function/],
  ['topic.ts', good.replace("'bot'", "'cars'"), /topic/],
  ['example.ts', good.replace('options', "example: ['nobody'], options"), /example: names an option/],
  ['visible.ts', good.replace('public', 'secret'), /visibility/],
  [
    'hidden.ts',
    good.replace('{}', "{ private: { description: 'd', required: false, kind: 'flag' } }"),
    /may not be named private/,
  ],
  ['more.ts', good.replace('options', 'extra: 1, options'), /extra/],
  [
    'menu.ts',
    good.replace('options', 'userMenu: { name: "n" }, options'),
    /userMenu\.run: is not a function/,
  ],
  ['option.ts', good.replace('{}', '{ Player: {} }'), /options/],
  [
    'schema.ts',
    good.replace('{}', "{ a: { description: 'd', required: true, wrong: 'w', schema: /x/ } }"),
    /schema/,
  ],
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
