import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';

const root = fileURLToPath(new URL('../..', import.meta.url));
const Manifest = z.object({ scripts: z.record(z.string(), z.string()) });
const { scripts } = Manifest.parse(JSON.parse(readFileSync(`${root}/package.json`, 'utf8')));
const CHECK = '--import=./src/tools/needs-node.mjs';

test('every script that runs TypeScript looks at the version of Node first', () => {
  const typed = Object.entries(scripts).filter(([, script]) => /\bnode\b.*\.ts\b/.test(script));
  expect(typed.length).toBeGreaterThan(8);
  for (const [name, script] of typed) expect(script, name).toMatch(`node ${CHECK} `);
});

test.each([
  ['20.20.2', 78],
  ['22.23.0', 78],
  ['24.0.0', 0],
])(
  'on Node %s a script ends with %i, and an older one says in one line what is needed',
  (version, status) => {
    const pretended = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } });
    Object.defineProperty(process, 'version', { value: 'v${version}' });`;
    const ended = spawnSync(
      process.execPath,
      [`--import=data:text/javascript,${encodeURIComponent(pretended)}`, CHECK, '-e', ''],
      { cwd: root, encoding: 'utf8' },
    );
    expect(ended.status).toBe(status);
    if (status === 0) expect(ended.stderr).toBe('');
    else
      expect(ended.stderr).toMatch(
        new RegExp(`^Pitwall needs Node 24 or newer, and this is v${version}\\..*\\n$`),
      );
  },
);
