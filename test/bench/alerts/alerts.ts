/**
 * What 10,000 alerts cost, by the rounds of one process over the file store: processor time, and how long the event loop
 * was blocked at once: `npm run bench -- alerts`.
 */

import { MINUTE, SECOND } from '../../../src/base/duration.ts';
import { median } from '../beside/process-figures.ts';
import { type Cost, costOf } from '../cost.ts';
import { oneOfEachKind, openAlerts } from './alerts-at-work.ts';

const ALERTS = 10_000;
const ROUNDS = 8;

const { pass: wait, round, replaceAlert, sent, end } = await openAlerts(ALERTS, oneOfEachKind);

function print(what: string, costs: readonly Cost[]): void {
  const cpu = costs.map((cost) => cost.cpu);
  const cells = [median(cpu), Math.max(...cpu), Math.max(...costs.map(({ block }) => block))];
  console.log(what.padEnd(44), ...cells.map((cell) => cell.toFixed(1).padStart(9)));
}

async function pass(what: string, times: number, before: (index: number) => Promise<void> = async () => {}) {
  const costs: Cost[] = [];
  for (let index = 0; index < times; index += 1) {
    wait(15 * SECOND);
    await before(index);
    costs.push(await costOf(round));
  }
  print(what, costs);
}

console.log(`${ALERTS} alerts, ms of processor time`.padEnd(44), '   median', '      max', '  at once');
await pass('the first round', 1);
await pass('a round in which nothing changes', ROUNDS);
await pass('a round after one alert was set again', ROUNDS, (index) => replaceAlert(index, 0));
wait(30 * MINUTE);
await pass('a round after half an hour', 1);
await pass('a round after two minutes', 7, async () => {
  wait(2 * MINUTE);
});
wait(0, { driving: 400, areThere: true });
await pass('a round in which most become true', 6);
console.log(`${sent()} messages`);
const again: Cost[] = [];
for (let index = 0; index < ROUNDS; index += 1) {
  again.push(await costOf(() => replaceAlert(100 + index, 1)));
}
print('one alert, set again', again);
await end();
