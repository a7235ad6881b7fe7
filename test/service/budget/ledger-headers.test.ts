import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import type { RateReport } from '../../../src/base/errors.ts';
import { createLedger, type Ledger } from '../../../src/service/budget/ledger/ledger.ts';
import { VirtualTime } from '../../sim/virtual-time.ts';
import { ledgerDatabase, ledgerStoreOver } from '../../support/ledger-database.ts';
import { HOUR, MINUTE, rateOf, START } from './budget-in-memory.ts';

let time: VirtualTime;
let ledger: Ledger;
beforeEach(() => {
  time = new VirtualTime(START);
  const store = ledgerStoreOver({
    database: ledgerDatabase(),
    clock: time.clock,
    boot: 'one',
  });
  ledger = createLedger(store, { headroom: 0 });
});

/** One interactive request with the answer's headers; false where no permit was to be had. */
async function request(rate: RateReport | null): Promise<boolean> {
  const { permit } = await ledger.take('interactive', 10_000);
  if (permit === null) return false;
  await time.pass(100);
  await ledger.settle(permit, { kind: 'answered', rate });
  return true;
}

async function mayAsk(): Promise<boolean> {
  const { permit } = await ledger.take('interactive', 10_000);
  if (permit !== null) await ledger.settle(permit, { kind: 'unsent' });
  return permit !== null;
}

/** How many requests in a row the ledger lets through, up to `most`, when answers say nothing. */
async function countAllowed(most: number): Promise<number> {
  for (let count = 0; count < most; count += 1) if (!(await request(null))) return count;
  return most;
}

test('an answer without headers leaves the decision to the ledger: 720 in an hour', async () => {
  expect(await countAllowed(1000)).toBe(720);
  expect((await ledger.snapshot()).remaining).toBeNull();
});

test('Remaining bounds what the ledger would allow, less a few for others', async () => {
  await request(rateOf(time, { remaining: 20, resetIn: 1800 }));
  expect(await countAllowed(100)).toBe(17);
});

test('Remaining never grants more than the ledger', async () => {
  for (let index = 0; index < 719; index += 1) await request(rateOf(time, { remaining: 700, resetIn: 1800 }));
  expect(await countAllowed(100)).toBe(1);
});

test('a bound ends with its reset, and one request asks again', async () => {
  await request(rateOf(time, { remaining: 0, resetIn: 60 }));
  await time.pass(59_000);
  expect(await mayAsk()).toBe(false);
  await time.pass(3000);
  const first = await ledger.take('interactive', 10_000);
  expect(first.permit).not.toBeNull();
  expect(await mayAsk()).toBe(false);
});

test('counts the reset from the Date of the response, as our clock may be hours wrong', async () => {
  time.stepWall(3 * HOUR);
  const date = START;
  await request(rateOf(time, { remaining: 0, date, reset: date / 1000 + 60 }));
  await time.pass(58_000);
  expect(await mayAsk()).toBe(false);
  await time.pass(4000);
  expect(await mayAsk()).toBe(true);
});

test.each([
  ['three hours in the past', -3 * 3600],
  ['ten years ahead', 10 * 365 * 86_400],
  ['now', 0],
])('a Reset %s is neither a refilled budget nor a reason to sleep for long', async (_when, resetIn) => {
  await request(rateOf(time, { remaining: 0, resetIn }));
  await time.pass(MINUTE);
  // The check says the same.
  expect(await request(rateOf(time, { remaining: 0, resetIn }))).toBe(true);
  await time.pass(2 * MINUTE);
  expect(await mayAsk()).toBe(false);
  await time.pass(4 * MINUTE);
  expect(await mayAsk()).toBe(true);
});

test.each([
  ['absent', null],
  ['negative', -7],
  ['not a number', Number.NaN],
  ['infinite', Number.POSITIVE_INFINITY],
  ['above any limit', 1e9],
  ['a fraction', 3.5],
])('a Remaining that is %s bounds nothing', async (_what, remaining) => {
  await request(rateOf(time, { remaining, resetIn: 1800 }));
  expect(await countAllowed(50)).toBe(50);
});

test.each([
  ['720/0', 720, 0],
  ['0/3600', 0, 3600],
  ['-720/3600', -720, 3600],
  ['1e9/3600', 1e9, 3600],
  ['NaN/3600', Number.NaN, 3600],
  ['720/NaN', 720, Number.NaN],
  ['7.5/3600', 7.5, 3600],
  ['720/ten years', 720, 3.2e8],
  ['absent', null, null],
])('a limit of %s is not learnt', async (_what, limit, windowSeconds) => {
  await request(rateOf(time, { limit, windowSeconds }));
  expect(await ledger.snapshot()).toMatchObject({ limit: 720, windowMs: HOUR });
});

test('the limit and the window of another kind of key are learnt from the first answer', async () => {
  await request(rateOf(time, { limit: 5000, windowSeconds: 7200, remaining: 4999, resetIn: 7200 }));
  expect(await ledger.snapshot()).toMatchObject({ limit: 5000, windowMs: 2 * HOUR });
});

test('a lower limit counts at once, also against what was spent before', async () => {
  for (let index = 0; index < 30; index += 1) await request(rateOf(time, { remaining: 600, resetIn: 1800 }));
  await request(rateOf(time, { limit: 30, windowSeconds: 3600, remaining: 20, resetIn: 1800 }));
  expect(await mayAsk()).toBe(false);
});

test('of two limits that alternate the stricter one holds', async () => {
  for (let index = 0; index < 60; index += 1) {
    await request(rateOf(time, { limit: index % 2 === 0 ? 720 : 100, windowSeconds: 3600 }));
    await time.pass(MINUTE);
  }
  expect((await ledger.snapshot()).limit).toBe(100);
});

test('believes a looser limit if the stricter was not stated for a whole window', async () => {
  await request(rateOf(time, { limit: 100, windowSeconds: 3600 }));
  await request(rateOf(time, { limit: 100, windowSeconds: 3600 }));
  await request(rateOf(time, { limit: 720, windowSeconds: 3600 }));
  expect((await ledger.snapshot()).limit).toBe(100);
  await time.pass(HOUR + MINUTE);
  await request(rateOf(time, { limit: 720, windowSeconds: 3600 }));
  expect((await ledger.snapshot()).limit).toBe(720);
});

test('answers that overtake each other keep the bound of the request sent last', async () => {
  await request(rateOf(time, { remaining: 13, resetIn: 1800 }));
  const earlier = await ledger.take('interactive', 10_000);
  const later = await ledger.take('interactive', 10_000);
  if (earlier.permit === null || later.permit === null) throw new Error('there should be permits');
  await ledger.settle(later.permit, {
    kind: 'answered',
    rate: rateOf(time, { remaining: 11, resetIn: 1800 }),
  });
  await ledger.settle(earlier.permit, {
    kind: 'answered',
    rate: rateOf(time, { remaining: 12, resetIn: 1800 }),
  });
  // Of the eleven, one may have gone to the earlier request, and three are left to others.
  expect(await countAllowed(50)).toBe(7);
});

test('requests under way count against a Remaining that may not know of them', async () => {
  await request(rateOf(time, { remaining: 16, resetIn: 1800 }));
  const { permit } = await ledger.take('interactive', 10_000);
  if (permit === null) throw new Error('there should be a permit');
  for (let index = 0; index < 4; index += 1) await ledger.take('interactive', 10_000);
  await ledger.settle(permit, { kind: 'answered', rate: rateOf(time, { remaining: 15, resetIn: 1800 }) });
  // Of the fifteen, four may have gone to those under way, and three are left to others.
  expect(await countAllowed(50)).toBe(8);
});

test('counts requests beyond our own as use by others, which fades over the window', async () => {
  await request(rateOf(time, { remaining: 719, resetIn: 3000 }));
  await request(rateOf(time, { remaining: 518, resetIn: 2900 }));
  expect((await ledger.snapshot()).otherUsage).toBe(200);
  await time.pass(HOUR / 2);
  expect((await ledger.snapshot()).otherUsage).toBe(100);
  await time.pass(HOUR / 2);
  expect((await ledger.snapshot()).otherUsage).toBe(0);
});

test('an hour never holds more than the strictest limit, whatever the headers say', async () => {
  const number = fc.oneof(
    fc.constantFrom(null, Number.NaN, Number.POSITIVE_INFINITY, -1, 0, 1, 40, 720, 3600, 1e9),
    fc.double(),
    fc.integer(),
  );
  const report = fc.record({
    limit: fc.constantFrom(null, 40, Number.NaN, -1),
    windowSeconds: fc.constantFrom(3600, null, 0),
    remaining: number,
    reset: number,
    date: number,
    retryAfter: number,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(report, { minLength: 1, maxLength: 8 }), async (reports) => {
      const clock = new VirtualTime(START);
      const store = ledgerStoreOver({
        database: ledgerDatabase(),
        clock: clock.clock,
        boot: 'one',
      });
      const own = createLedger(store, { headroom: 0 });
      for (let witness = 0; witness < 2; witness += 1) {
        const { permit } = await own.take('interactive', 1000);
        if (permit === null) throw new Error('there should be a permit');
        await own.settle(permit, { kind: 'answered', rate: rateOf(clock, { limit: 40 }) });
        await clock.pass(1000);
      }
      let granted = 2;
      for (let index = 0; index < 80; index += 1) {
        const { permit } = await own.take('interactive', 1000);
        if (permit !== null) {
          granted += 1;
          await own.settle(permit, { kind: 'answered', rate: reports[index % reports.length] ?? null });
        }
        await clock.pass(20_000);
      }
      expect(granted).toBeLessThanOrEqual(40);
    }),
    { numRuns: 60 },
  );
});
