/**
 * Prints how the bot's governor and plain uses of Bottleneck spend a key of 720 an hour, against five ways in which a
 * server may count: the worst of the models and seeds for each strategy. Run with
 * `npm run sim -- budget [hours] [seeds]`.
 */
import { windowModels } from '../../src/sandbox/service/window-models.ts';
import { loads } from './loads.ts';
import { LIMIT, type Load, type Outcome, simulate } from './simulation.ts';
import { governor, plainStrategies, type Strategy } from './strategies.ts';

const [hours = 3, seeds = 1] = process.argv.slice(2).map(Number);
const strategies: Readonly<Record<string, Strategy>> = { ...plainStrategies, 'the governor': governor };

async function runAll(strategy: Strategy, load: Load, restarts: number): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const model of windowModels)
    for (let seed = 1; seed <= seeds; seed += 1)
      outcomes.push(await simulate({ model, load, strategy, hours, seed, restarts }));
  return outcomes;
}

const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
const row = (cells: readonly string[]): void => console.log(`| ${cells.join(' | ')} |`);

console.log(
  `${hours} virtual hours, ${seeds} seeds, ${windowModels.length} window models, a limit of ${LIMIT} an hour.`,
);
console.log(
  'The worst over models and seeds; "used" is the mean. "Most in a window" counts what reached the server.\n',
);
for (const [name, load] of Object.entries(loads)) {
  for (const restarts of [0, 2]) {
    console.log(`### ${name}, ${restarts === 0 ? 'no restarts' : `${restarts} kills an hour`}\n`);
    row(['strategy', 'refused', 'refused probes', 'people within 2.5 s', 'used', 'most in a window']);
    row(['---', '---', '---', '---', '---', '---']);
    for (const [title, strategy] of Object.entries(strategies)) {
      const outcomes = await runAll(strategy, load, restarts);
      const used = outcomes.reduce((sum, outcome) => sum + outcome.used, 0) / outcomes.length;
      row([
        title,
        String(Math.max(...outcomes.map(({ refused }) => refused))),
        String(Math.max(...outcomes.map(({ refusedProbes }) => refusedProbes))),
        percent(Math.min(...outcomes.map(({ quick }) => quick))),
        percent(used),
        String(Math.max(...outcomes.map(({ most }) => most))),
      ]);
    }
    console.log();
  }
}
