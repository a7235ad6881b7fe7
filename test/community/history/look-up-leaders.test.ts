import { expect, onTestFinished, test } from 'vitest';
import { createListeners } from '../../../src/base/listeners.ts';
import { wantLeaders } from '../../../src/community/history/look-up-leaders.ts';
import { createLookUps } from '../../../src/service/look-ups.ts';
import { VirtualTime } from '../../sim/virtual-time.ts';
import { driverJson, serviceOf } from '../../support/records.ts';

const HOUR = 60 * 60_000;

function setUp(drivers: number) {
  const time = new VirtualTime(Date.UTC(2026, 2, 2));
  const asked: string[] = [];
  const state = { holds: true };
  const { clock } = time;
  const service = serviceOf(
    ({ asked: given, ask }) => {
      asked.push(`${ask?.priority} ${JSON.stringify(given)}`);
      return { ...driverJson, ...Object(given) };
    },
    () => ({ asOf: clock.now(), stale: null }),
  );
  const rows = Array.from({ length: drivers }, (_, index) => ({
    ...{ rank: index + 1, driver: `driver${index}`, value: 1000 - index, read: null },
  }));
  const history = { top: async () => ({ since: 0, until: 0, holes: [], from: 0, rows }) };
  const failed = (error: unknown): void => {
    throw error;
  };
  const lookUps = createLookUps({ service, observations: createListeners(), clock, onFailure: failed });
  const end = wantLeaders({ lookUps, history, clock, holds: () => state.holds, failed });
  onTestFinished(async () => {
    await time.until(Promise.all([end(), lookUps.stop()]));
  });
  return { time, asked, state };
}

test('reads the profiles of the most active drivers once a day, one a minute', async () => {
  const { time, asked } = setUp(50);
  await time.pass(HOUR);
  const twenty = Array.from({ length: 20 }, (_, index) => `background {"username":"driver${index}"}`);
  expect(asked).toEqual(twenty);
  await time.pass(23 * HOUR);
  expect(asked).toHaveLength(20);
  await time.pass(HOUR);
  expect(asked).toEqual([...twenty, ...twenty]);
});

test('only one process reads them', async () => {
  const { time, asked, state } = setUp(2);
  state.holds = false;
  await time.pass(2 * HOUR);
  expect(asked).toEqual([]);
  state.holds = true;
  await time.pass(HOUR);
  expect(asked).toHaveLength(2);
});
