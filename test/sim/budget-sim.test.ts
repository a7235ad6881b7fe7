import { describe, expect, test } from 'vitest';
import { windowModels } from '../../src/sandbox/service/window-models.ts';
import { type LoadName, loads } from './loads.ts';
import { LIMIT, type Outcome, simulate } from './simulation.ts';
import { governor, plainStrategies } from './strategies.ts';

const HOURS = 2;
/** Kills per hour. */
const RESTARTS = [0, 2];

const cells = RESTARTS.flatMap((restarts) => windowModels.map((model) => ({ model, restarts })));
const run = (load: LoadName, cell: (typeof cells)[number]): Promise<Outcome> =>
  simulate({ ...cell, load: loads[load], strategy: governor, hours: HOURS, seed: 7 });

/** What holds whatever the server's windows are, and however often the bot is killed. */
function expectNeverOver({ refused, most }: Outcome): void {
  expect(refused).toBe(0);
  expect(most).toBeLessThanOrEqual(LIMIT);
}

describe.each(cells)('against $model windows, killed $restarts times an hour', (cell) => {
  test('500 people an hour are answered within 2.5 s, at least 99 of 100', async () => {
    const outcome = await run('people 500', cell);
    expectNeverOver(outcome);
    // While the process is down nobody can be answered by it.
    expect(outcome.quick).toBeGreaterThanOrEqual(0.99);
    expect(outcome.answered.background).toBeGreaterThan(200);
  });

  test('of a demand of 1.5 times the limit at least 0.97 of the limit is served', async () => {
    const outcome = await run('people 1080', cell);
    expectNeverOver(outcome);
    expect(outcome.used).toBeGreaterThanOrEqual(0.97);
  });

  test('another user of the key with 200 an hour leads to no refusal', async () => {
    const outcome = await run('others 200', cell);
    expectNeverOver(outcome);
    // What others are about to take is not known, so some is left unused: 0.835 at the worst over four seeds.
    expect(outcome.answered.interactive / outcome.asked.interactive).toBeGreaterThan(0.8);
  });

  test('a hundred people in the moment after each start lead to no refusal', async () => {
    expectNeverOver(await run('crowd of 100', cell));
  });
});

test.each(windowModels.filter((model) => model !== 'gcra-twelfth'))(
  // A bucket of a twelfth of 720 holds 60, so there the others of the hundred cannot be served at once.
  'a hundred at once after a start are served within 4 s against %s windows',
  async (model) => {
    const load = { ...loads['crowd of 100'], people: 0 };
    const outcome = await simulate({ model, load, strategy: governor, hours: 0.1, seed: 3, restarts: 0 });
    expect(outcome.answered.interactive).toBe(100);
    expect(outcome.crowdMs).toBeLessThan(4000);
  },
);

test('the simulation tells a strategy that is over the limit from one that is not', async () => {
  const reservoir = plainStrategies['Bottleneck reservoir, refreshed hourly'];
  if (reservoir === undefined) throw new Error('the strategy has another name');
  const load = loads['people 1080'];
  const outcome = await simulate({
    model: 'sliding-log',
    load,
    strategy: reservoir,
    hours: HOURS,
    seed: 7,
    restarts: 0,
  });
  expect(outcome.refused).toBeGreaterThan(50);
  expect(outcome.most).toBeGreaterThan(LIMIT);
});
