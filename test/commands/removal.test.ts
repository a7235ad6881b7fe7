/**
 * Takes each feature out of a copy of the sources: tsc names the files that show it, and the rest compiles, starts and answers.
 * `removal.ts` beside the tests of a feature has what to cut elsewhere.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect } from 'vitest';
import { z } from 'zod';
import { features } from '../../commands/subjects.ts';
import { botSettings } from '../../src/sandbox/bot-settings.ts';
import { fromSources } from '../support/from-sources.ts';
import { listenTo } from '../support/program.ts';
import { guest, test } from '../support/sandbox.ts';

/** A passage by its beginning and its end, and the text instead of it. */
const Cut = z.tuple([z.string(), z.string(), z.string().default('')]);
const Removal = z.object({
  edits: z.record(z.string(), z.array(Cut)),
});

/** Edited files outside the folder of a feature, with the list of features. */
const MAX_EDITED_FILES = 3;
/** A copy compiles in 10 s of processor time, in ms. */
const TIMEOUT_MS = 240_000;

const root = fileURLToPath(new URL('../..', import.meta.url));

/** One folder for all copies: tsc checks what differs from the copy before, and Node finds what it compiled. */
const copy = mkdtempSync(join(tmpdir(), 'pitwall-'));
afterAll(() => rmSync(copy, { recursive: true }));
const at = (file: string): string => join(copy, file);
cpSync(join(root, 'package.json'), at('package.json'));
symlinkSync(join(root, 'node_modules'), at('node_modules'));
const { compilerOptions, exclude } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
compilerOptions.tsBuildInfoFile = './state.tsbuildinfo';
// Code that only the feature used is cut with it.
compilerOptions.noUnusedLocals = true;
writeFileSync(
  at('tsconfig.json'),
  JSON.stringify({ compilerOptions, include: ['src', 'commands'], exclude }),
);

/** Questions that need no feature, and edited commands among them. */
const questions = [
  ['help', {}],
  ['servers', {}],
  ['slots', {}],
  ['uptime', { server: 'one' }],
  ['forget-me', {}],
  ['privacy', {}],
] as const;

test.for(Object.keys(features))(
  'without %s, the rest compiles, starts and answers',
  { timeout: TIMEOUT_MS },
  async (name, { chat, dataService }) => {
    const commands = globSync(`commands/${name}/*.ts`, { cwd: root }).map((file) => basename(file, '.ts'));
    const { edits } = Removal.parse((await import(`./${name}/removal.ts`)).removal);
    for (const part of ['src', 'commands']) {
      rmSync(at(part), { recursive: true, force: true });
      cpSync(join(root, part), at(part), { recursive: true });
    }
    rmSync(at(`commands/${name}`), { recursive: true });
    const list = readFileSync(at('commands/subjects.ts'), 'utf8')
      .replace(new RegExp(`^import { ${name} } from .*\n`, 'm'), '')
      .replace(new RegExp(`(?<=const features = {.*)\\b${name}\\b,? ?`), '');
    writeFileSync(at('commands/subjects.ts'), list);
    const edited = Object.keys(edits).toSorted();
    expect(edited.length + 1).toBeLessThanOrEqual(MAX_EDITED_FILES);
    expect(filesWithErrors()).toEqual(edited);

    for (const [file, cuts] of Object.entries(edits))
      writeFileSync(at(file), cuts.reduce(cut, readFileSync(at(file), 'utf8')));
    if (edited.length > 0) expect(filesWithErrors()).toEqual([]);

    const bot = spawn(process.execPath, [at('src/main.ts')], {
      cwd: copy,
      env: { ...fromSources, ...botSettings(chat, dataService, `sqlite://${at(`${name}.sqlite`)}`) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    try {
      let output = '';
      listenTo(bot, (text) => {
        output += text;
      });
      const end = once(bot, 'exit').then(() => expect.unreachable(output));
      end.catch(() => {});
      await Promise.race([chat.ready(), end]);
      const manager = guest(chat, chat.people[0] ?? '');
      const offered = chat.visitor(manager.id).commands(manager.channelId);
      expect(offered.length).toBeGreaterThan(10);
      expect(offered.filter((command) => commands.includes(command.name))).toEqual([]);
      for (const [question, options] of questions) {
        const { text } = await manager.ask(question, options);
        expect(text, question).not.toContain('went wrong on my side');
      }
      expect((await manager.fillIn('settings', { distances: 'miles' })).text).toContain('Miles');
      expect(output).not.toContain('"level":50');
    } finally {
      bot.kill();
      if (bot.exitCode === null) await once(bot, 'exit');
    }
  },
);

/**
 * Returns the files of the copy in which tsc finds an error. One checker: several compute the same types again. Go collects no
 * garbage below 2 GiB, which is a quarter of the time.
 */
function filesWithErrors(): readonly string[] {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout, status } = spawnSync(process.execPath, [tsc, '--pretty', 'false', '--checkers', '1'], {
    cwd: copy,
    encoding: 'utf8',
    env: { ...process.env, GOGC: 'off', GOMEMLIMIT: '2GiB' },
  });
  const files = [...stdout.matchAll(/^(\S+)\(\d+,\d+\): error /gm)].map(([, file = '']) => file);
  expect(status === 0, stdout).toBe(files.length === 0);
  return [...new Set(files)].toSorted();
}

function cut(text: string, [beginning, end, instead]: z.output<typeof Cut>): string {
  const from = text.indexOf(beginning);
  const through = text.indexOf(end, from + beginning.length);
  expect(Math.min(from, through), `${beginning} … ${end}`).toBeGreaterThanOrEqual(0);
  expect(text.indexOf(beginning, from + 1), `${beginning} is there once`).toBe(-1);
  return text.slice(0, from) + instead + text.slice(through + end.length);
}
