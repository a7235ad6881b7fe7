import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { measures, run as runPrograms } from './measures.ts';

const script = fileURLToPath(new URL('measures.ts', import.meta.url));
const run = (...words: readonly string[]) =>
  spawnSync(process.execPath, [script, ...words], { encoding: 'utf8' });

test.for(['bench', 'sim', 'soak'])('%s without a name lists what there is', (group) => {
  const { status, stdout } = run(group);
  expect(status).toBe(0);
  for (const [name, { description }] of Object.entries(measures[group] ?? {}))
    expect(stdout).toMatch(new RegExp(`^  ${name} .*${RegExp.escape(description)}$`, 'm'));
});

test('an unknown name is refused with the same list', () => {
  const { status, stdout, stderr } = run('sim', 'weather');
  expect(status).toBe(1);
  expect(stderr).toContain('No sim is named weather');
  expect(stdout).toBe(run('sim').stdout);
});

test('a name runs its program with the parameters after it', () => {
  const { status, stdout } = run('sim', 'budget', '0');
  expect(stdout).toMatch(/^0 virtual hours/);
  expect(status).toBe(0);
});

test('the first program that fails is the last one', () => {
  const programs = [
    ['-e', ''],
    ['-e', 'process.exit(3)'],
    ['-e', 'process.exit(4)'],
  ];
  expect(runPrograms({ description: '', programs }, [])).toBe(3);
});
