/**
 * `npm run check`: types, format, lint, and the tests of layers, documents and texts, which any change may break. All of
 * them run, so that one call shows every fault. `-- --write` fixes the format, and writes the English texts for translators.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const TESTS = [
  'test/architecture.test.ts',
  'test/docs.test.ts',
  'test/i18n',
  'test/discord/languages.test.ts',
];

const writes = process.argv.includes('--write');

const programs: Readonly<Record<string, readonly string[]>> = {
  // Several checkers compute the same types again: 28 s of processor time for the product instead of 10.
  types: ['node_modules/typescript/bin/tsc', '--checkers', '1'],
  'types of the page': ['node_modules/typescript/bin/tsc', '-p', 'src/sandbox/page/client'],
  'format and lint': [
    'node_modules/@biomejs/biome/bin/biome',
    'check',
    '--error-on-warnings',
    ...process.argv.slice(2),
  ],
  tests: [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    'test/vitest.config.ts',
    // The English texts for translators are a snapshot.
    ...(writes ? ['--update=all'] : []),
    ...TESTS,
  ],
};

/** Go, in which tsc is written, collects no garbage below 2 GiB: 16 s of processor time instead of 19 for all types. */
const env = { ...process.env, GOGC: 'off', GOMEMLIMIT: '2GiB' };

/** Under CI the whole suite runs beside it, with these tests. */
const isSuiteBeside = process.env['CI'] !== undefined;
const chosen = Object.entries(programs).filter(([name]) => name !== 'tests' || !isSuiteBeside);

const outcomes = chosen.map(([name, program]) => {
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const { status } = spawnSync(process.execPath, program, { cwd, stdio: 'inherit', env });
  if (status !== 0) process.exitCode = 1;
  return `${name} ${status === 0 ? '✓' : '✗'}`;
});
console.log(outcomes.join(' · '));
