/**
 * Prints what the alerts of a community cost: a week with 300 drivers and 200 watches, on virtual time. Run with
 * `npm run sim -- watches [hours]`.
 */
import { simulateWatches } from './watches-simulation.ts';

const [hours = 7 * 24] = process.argv.slice(2).map(Number);
const row = (cells: readonly (string | number)[]): void => console.log(`| ${cells.join(' | ')} |`);

console.log(
  `${hours} virtual hours, 300 drivers. Requests are those in the background, at most in any hour.\n`,
);
row([
  'live files',
  'watches',
  'wanted daily',
  'looked up an hour',
  'cars',
  'profiles',
  'in all',
  'mean',
  'alerts',
  'a day to one person',
]);
row(Array.from({ length: 10 }, () => '---'));
for (const { named, watches, lookUps, daily } of [
  { named: true, watches: 200, lookUps: 0, daily: 0 },
  { named: true, watches: 200, lookUps: 120, daily: 0 },
  { named: false, watches: 200, lookUps: 0, daily: 0 },
  { named: false, watches: 200, lookUps: 120, daily: 0 },
  { named: false, watches: 20, lookUps: 120, daily: 0 },
  { named: true, watches: 200, lookUps: 120, daily: 270 },
  { named: false, watches: 20, lookUps: 120, daily: 270 },
]) {
  const outcome = await simulateWatches({ hours, drivers: 300, watches, lookUps, daily, named, seed: 1 });
  if (outcome.failures.length > 0) throw outcome.failures[0];
  const { mostCars, mostProfiles, mostInAll, mean, alerts, mostADay } = outcome;
  row([
    named ? 'name drivers' : 'name nobody',
    watches,
    daily,
    lookUps,
    mostCars,
    mostProfiles,
    mostInAll,
    mean.toFixed(0),
    alerts,
    mostADay,
  ]);
}
