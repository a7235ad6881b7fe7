import { expect, test } from 'vitest';
import { ServiceError } from '../../src/base/errors.ts';
import { lookUpLeaders } from '../../src/history/look-up-leaders.ts';
import { VirtualTime } from '../sim/virtual-time.ts';
import { serviceOf } from '../support/records.ts';

const HOUR = 60 * 60_000;

function setUp(drivers: number) {
  const time = new VirtualTime(Date.UTC(2026, 2, 2));
  const asked: string[] = [];
  const state = { holdsLease: true };
  const service = serviceOf(({ endpoint, asked: given, ask }) => {
    asked.push(`${ask?.priority} ${JSON.stringify(given)}`);
    throw new ServiceError('over-budget', { endpoint, sent: 'no' });
  });
  const rows = Array.from({ length: drivers }, (_, index) => ({
    ...{ rank: index + 1, driver: `driver${index}`, value: 1000 - index, read: null },
  }));
  const history = { top: async () => ({ since: 0, until: 0, holes: [], from: 0, rows }) };
  const failed = (error: unknown): void => {
    throw error;
  };
  lookUpLeaders({ service, history, clock: time.clock, holdsLease: () => state.holdsLease, failed });
  return { time, asked, state };
}

test('the profiles of those who are online the most are read once a day, one after the other, with what is left', async () => {
  const { time, asked } = setUp(50);
  await time.pass(HOUR);
  expect(asked).toEqual([0, 1, 2].map((index) => `background {"username":"driver${index}"}`));
  await time.pass(22 * HOUR);
  expect(asked).toHaveLength(20);
  await time.pass(2 * HOUR);
  expect(asked.slice(20)).toEqual(asked.slice(0, asked.length - 20));
  expect(asked.length).toBeGreaterThan(20);
});

test('only one process reads them', async () => {
  const { time, asked, state } = setUp(2);
  state.holdsLease = false;
  await time.pass(2 * HOUR);
  expect(asked).toEqual([]);
});
