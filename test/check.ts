/**
 * `npm run check`: types, format, lint, and the tests of layers, documents and texts, which any change may break. All of
 * them run, so that one call shows every fault, and what is right says nothing. `-- --write` fixes the format, and writes the
 * English texts for translators.
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

interface Check {
  readonly program: readonly string[];
  /** The command that mends most of what it finds; null: a person does. */
  readonly mend: string | null;
}

const WRITE = 'npm run check -- --write mends what can be mended by itself';

const programs: Readonly<Record<string, Check>> = {
  // Several checkers compute the same types again: 28 s of processor time for the product instead of 10.
  types: { program: ['node_modules/typescript/bin/tsc', '--checkers', '1'], mend: null },
  'types of the page': {
    program: ['node_modules/typescript/bin/tsc', '-p', 'src/sandbox/page/client'],
    mend: null,
  },
  'format and lint': {
    program: [
      'node_modules/@biomejs/biome/bin/biome',
      'check',
      '--error-on-warnings',
      ...process.argv.slice(2),
    ],
    mend: writes ? null : WRITE,
  },
  tests: {
    program: [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config',
      'test/vitest.config.ts',
      '--reporter=minimal',
      // The English texts for translators are a snapshot.
      ...(writes ? ['--update=all'] : []),
      ...TESTS,
    ],
    mend: writes ? null : WRITE,
  },
};

/** Go, in which tsc is written, collects no garbage below 2 GiB: 16 s of processor time instead of 19 for all types. */
const env = { ...process.env, GOGC: 'off', GOMEMLIMIT: '2GiB' };

/** Under CI the whole suite runs beside it, with these tests. */
const isSuiteBeside = process.env['CI'] !== undefined;
const chosen = Object.entries(programs).filter(([name]) => name !== 'tests' || !isSuiteBeside);

const cwd = fileURLToPath(new URL('..', import.meta.url));
const outcomes = chosen.map(([name, { program, mend }]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, program, { cwd, encoding: 'utf8', env });
  return { name, isRight: status === 0, said: `${stdout}${stderr}`.trim(), mend };
});
// Faults stand last, each with its mend.
console.log(outcomes.map(({ name, isRight }) => `${name} ${isRight ? '✓' : '✗'}`).join(' · '));
for (const { name, said, mend } of outcomes.filter(({ isRight }) => !isRight)) {
  console.log(`\n${said}\n\n${name} ✗${mend === null ? '' : `: ${mend}`}`);
  process.exitCode = 1;
}
