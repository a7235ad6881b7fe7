/**
 * `npm run bench`, `npm run sim`, `npm run soak` and `npm run fuzz`: everything that measures, simulates or lasts longer
 * than the suite. Without a name each lists what there is.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { featureParts } from './support/feature-parts.ts';

interface Measure {
  readonly description: string;
  /** Of the last program. */
  readonly parameters?: string;
  /** The arguments of node, one program after the other. */
  readonly programs: readonly (readonly string[])[];
  /** Unless they are set already. */
  readonly environment?: Readonly<Record<string, string>>;
}

const BUILD = ['src/tools/build.ts'];
const VITEST = ['node_modules/vitest/vitest.mjs'];
const CONFIG = ['--config', 'test/vitest.config.ts'];

/** By script, then by name. */
export type Measures = Readonly<Record<string, Readonly<Record<string, Measure>>>>;

const measuresOfFeatures = Object.values(await featureParts<Measures>('measures', 'measures'));

const ownMeasures: Measures = {
  bench: {
    beside: {
      description: 'Pitwall beside bare bots: start, memory, a cached command',
      parameters: '[runs] [bots…] [--board-minutes=1]',
      programs: [BUILD, ['test/bench/beside/beside.ts']],
    },
    growth: {
      description: 'the cost of each guild, board, alert, name, link … as there are a hundred times as many',
      parameters: '[what…]',
      programs: [BUILD, ['--expose-gc', 'test/bench/growth/growth.ts']],
    },
    boards: {
      description:
        'boards, something changing all the time: `2500`, `2500:300` of which 300 change, `10000/4` in four processes',
      parameters: '[loads…]',
      programs: [BUILD, ['test/bench/boards/boards.ts']],
    },
    board: {
      description: 'the time until a board is there, and until it shows a change',
      programs: [['test/bench/board.ts']],
    },
    rush: {
      description: '300 questions at once',
      parameters: '[runs]',
      programs: [BUILD, ['test/bench/rush.ts']],
    },
    picture: {
      description: 'a profile as a picture beside text, cold and warm: median and 95 %',
      parameters: '[runs]',
      programs: [BUILD, ['test/bench/picture.ts']],
    },
    loop: {
      description: 'the longest time on the event loop with a year of 1,000 servers in the store',
      programs: [['test/bench/loop.ts']],
    },
  },
  sim: {
    budget: {
      description: 'the governor and plain uses of Bottleneck with one key, on virtual time',
      parameters: '[hours] [seeds]',
      programs: [['test/sim/budget-table.ts']],
    },
  },
  soak: {
    board: {
      description: 'random days of faults for a board; ends with 1 if one went wrong',
      parameters: '[days] [first seed]',
      programs: [['test/soak/board-soak.ts']],
    },
    budget: {
      description: 'processes killed while they spend, and eight virtual hours of each simulation',
      environment: { SOAK_TIMES: '100', SOAK_HOURS: '8' },
      programs: [
        [...VITEST, 'run', '--mode', 'all', ...CONFIG, 'test/service/budget/kills.test.ts', 'test/sim'],
      ],
    },
    fuzz: {
      description: 'mutated documents and interactions, 100,000 of each',
      environment: { FUZZ_RUNS: '100000' },
      programs: [[...VITEST, 'run', '--mode', 'all', ...CONFIG, 'test/fuzz']],
    },
  },
};

export const measures: Measures = Object.fromEntries(
  Object.entries(ownMeasures).map(([script, own]) => [
    script,
    Object.assign({}, own, ...measuresOfFeatures.map((parts) => parts[script])),
  ]),
);

if (import.meta.main) process.exitCode = main();

function main(): number {
  const [script = '', name, ...parameters] = process.argv.slice(2);
  const known = measures[script] ?? {};
  const chosen = name === undefined ? undefined : known[name];
  if (chosen !== undefined) return run(chosen, parameters);
  if (name !== undefined) process.stderr.write(`No ${script} is named ${name}.\n\n`);
  const rows = Object.entries(known).map(
    ([each, { description, parameters: wanted = '' }]) =>
      `  ${`${each} ${wanted}`.trimEnd().padEnd(44)} ${description}\n`,
  );
  process.stdout.write(`npm run ${script} -- <name>\n\n${rows.join('')}`);
  return name === undefined ? 0 : 1;
}

/** One program after the other until one fails; returns its exit code. */
export function run({ programs, environment }: Measure, parameters: readonly string[]): number {
  for (const [index, program] of programs.entries()) {
    const last = index === programs.length - 1;
    const { status } = spawnSync(process.execPath, [...program, ...(last ? parameters : [])], {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      env: { ...environment, ...process.env },
      stdio: 'inherit',
    });
    if (status !== 0) return status ?? 1;
  }
  return 0;
}
