/**
 * `npm run check`: types, format and lint, and the tests that anyone's change may break: of rooms, documents and texts. All of
 * them run, so that one round says everything. `-- --write` mends the format.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const TESTS = ['test/rooms.test.ts', 'test/docs.test.ts', 'test/i18n', 'test/discord/languages.test.ts'];

const programs: readonly (readonly string[])[] = [
  ['node_modules/typescript/bin/tsc'],
  ['node_modules/typescript/bin/tsc', '-p', 'src/sandbox/page/client'],
  ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', ...process.argv.slice(2)],
  ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts', ...TESTS],
];

for (const program of programs) {
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const { status } = spawnSync(process.execPath, program, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
