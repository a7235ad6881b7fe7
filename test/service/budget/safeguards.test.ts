import { afterEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/base/clock.ts';
import { createLedger, type Ledger } from '../../../src/service/budget/ledger/ledger.ts';
import type { Permit } from '../../../src/service/budget/ledger/ledger-store.ts';
import { VirtualTime } from '../../sim/virtual-time.ts';
import { ledgerDatabase, ledgerStoreOver } from '../../support/ledger-database.ts';
import { budgetInMemory, callOf, HOUR, rateOf, START, watch } from './budget-in-memory.ts';

const FLIGHT_MS = 18_000;

function ledgerOn(time: VirtualTime): Ledger {
  const store = ledgerStoreOver({
    database: ledgerDatabase(),
    clock: time.clock,
    boot: 'one',
  });
  return createLedger(store, { headroom: 0 });
}

async function take(ledger: Ledger, kind: Permit['kind'] = 'interactive'): Promise<Permit> {
  const { permit } = await ledger.take(kind, FLIGHT_MS);
  if (permit === null) throw new Error('there should be a permit');
  return permit;
}

describe('a process that dies while it finds out what is left', () => {
  test('keeps the others waiting for ten seconds, no longer', async () => {
    const time = new VirtualTime(START);
    const ledger = ledgerOn(time);
    await take(ledger);
    await time.pass(9999);
    expect(await ledger.take('interactive', FLIGHT_MS)).toMatchObject({
      permit: null,
      reason: 'probe',
      waitMs: 1,
    });
    await time.pass(1);
    expect((await ledger.take('interactive', FLIGHT_MS)).permit).not.toBeNull();
    expect(await ledger.take('interactive', FLIGHT_MS)).toMatchObject({ permit: null, reason: 'probe' });
  });

  test('and no longer than its request could have been under way', async () => {
    const time = new VirtualTime(START);
    const ledger = ledgerOn(time);
    await ledger.take('interactive', 3000);
    await time.pass(3000);
    expect((await ledger.take('interactive', 3000)).permit).not.toBeNull();
  });
});

describe('the time of a permit', () => {
  test('is when it was granted: another process may have held the file until then', async () => {
    const time = new VirtualTime(START);
    let held = 0;
    const clock: Clock = { ...time.clock, monotonic: () => time.clock.monotonic() + held };
    const database = ledgerDatabase();
    const ledger = createLedger(ledgerStoreOver({ database, clock, boot: 'one' }), { headroom: 0 });
    await ledger.snapshot();
    const exec = database.exec.bind(database);
    database.exec = (sql) => {
      exec(sql);
      if (sql === 'BEGIN IMMEDIATE') held += 240;
    };
    expect((await take(ledger)).takenAt).toBe(START + 240);
  });

  test('is not moved by its answer: pollers are paced from one permit to the next', async () => {
    const time = new VirtualTime(START);
    const ledger = ledgerOn(time);
    await ledger.settle(await take(ledger), {
      kind: 'answered',
      rate: rateOf(time, { remaining: 719, resetIn: 3000 }),
    });
    const poll = await take(ledger, 'background');
    await time.pass(5000);
    await ledger.settle(poll, { kind: 'answered', rate: null });
    expect(await ledger.take('background', FLIGHT_MS)).toMatchObject({
      permit: null,
      reason: 'pace',
      waitMs: 1000,
    });
    await time.pass(1000);
    expect((await ledger.take('background', FLIGHT_MS)).permit).not.toBeNull();
  });

  test('counts for a window and a second from its answer, or from its latest arrival', async () => {
    const time = new VirtualTime(START);
    const ledger = ledgerOn(time);
    const answered = await take(ledger);
    await time.pass(4000);
    await ledger.settle(answered, {
      kind: 'answered',
      rate: rateOf(time, { remaining: 700, resetIn: 3000 }),
    });
    await take(ledger);
    const spent = async (): Promise<number> => (await ledger.snapshot()).spent.interactive;
    await time.pass(HOUR + 999);
    expect(await spent()).toBe(2);
    await time.pass(1);
    expect(await spent()).toBe(1);
    await time.pass(FLIGHT_MS - 1);
    expect(await spent()).toBe(1);
    await time.pass(1);
    expect(await spent()).toBe(0);
  });
});

test('after a second refusal with a shorter Retry-After nothing is sent any sooner', async () => {
  const time = new VirtualTime(START);
  const ledger = ledgerOn(time);
  await ledger.settle(await take(ledger), {
    kind: 'answered',
    rate: rateOf(time, { remaining: 700, resetIn: 3000 }),
  });
  const [first, second] = [await take(ledger), await take(ledger)];
  const refused = (retryAfter: number) => ({ kind: 'refused' as const, rate: rateOf(time, { retryAfter }) });
  expect(await ledger.settle(first, refused(50))).toBe(50_000);
  expect(await ledger.settle(second, refused(5))).toBe(50_000);
  await time.pass(49_999);
  expect(await ledger.take('interactive', FLIGHT_MS)).toMatchObject({ permit: null, reason: 'closed' });
});

test('every permit is on the disk before it is granted', async () => {
  const database = ledgerDatabase();
  const { clock } = new VirtualTime(START);
  const ledger = createLedger(ledgerStoreOver({ database, clock, boot: 'one' }), { headroom: 0 });
  await ledger.settle(await take(ledger), { kind: 'unsent' });
  expect({ ...database.prepare('PRAGMA synchronous').get() }).toEqual({ synchronous: 1 });
  await take(ledger);
  // 2 is FULL: each commit waits for the disk. With NORMAL a power cut loses the last permits, and they would be spent twice.
  expect({ ...database.prepare('PRAGMA synchronous').get() }).toEqual({ synchronous: 2 });
});

test('a full disk grants nothing and forgets nothing', async () => {
  const time = new VirtualTime(START);
  const database = ledgerDatabase();
  const ledger = createLedger(ledgerStoreOver({ database, clock: time.clock, boot: 'one' }), {
    headroom: 0,
  });
  const rate = rateOf(time, { remaining: 700, resetIn: 3000 });
  await ledger.settle(await take(ledger), { kind: 'answered', rate });
  database.exec('PRAGMA max_page_count = 1');
  let granted = 1;
  const takeAll = async (): Promise<void> => {
    for (; granted < 700; granted += 1) await take(ledger);
  };
  await expect(takeAll()).rejects.toThrow(/full/);
  expect((await ledger.snapshot()).spent.interactive).toBe(granted);
});

describe('a question that is dropped while its permit is being granted', () => {
  let end = (): void => {};
  afterEach(() => end());

  test('is not sent, and its permit comes back', async () => {
    const held = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const budget = budgetInMemory({
      wrap: (ledger) => ({
        ...ledger,
        take: async (...wanted) => {
          const decision = await ledger.take(...wanted);
          asked.resolve();
          await held.promise;
          return decision;
        },
      }),
    });
    end = budget.end;
    const nobody = new AbortController();
    const dropped = watch(budget.layer(callOf('profile|ann', 'interactive', { signal: nobody.signal })));
    await budget.time.until(asked.promise);
    expect((await budget.ledger.snapshot()).spent.interactive).toBe(1);
    nobody.abort();
    held.resolve();
    await budget.time.pass(100);
    expect(dropped.error?.sent).toBe('no');
    expect(budget.requests).toHaveLength(0);
    expect((await budget.ledger.snapshot()).spent.interactive).toBe(0);
  });
});

test('lets pollers through within two minutes after some seconds of refusals', async () => {
  const time = new VirtualTime(START);
  const ledger = ledgerOn(time);
  let sent = 0;
  const ask = async (kind: Permit['kind'], isRefusing: boolean): Promise<boolean> => {
    const { permit } = await ledger.take(kind, FLIGHT_MS);
    if (permit === null) return false;
    await time.pass(100);
    if (isRefusing) {
      await ledger.settle(permit, { kind: 'refused', rate: rateOf(time, { remaining: 0, retryAfter: 3 }) });
      return false;
    }
    sent += 1;
    await ledger.settle(permit, {
      kind: 'answered',
      rate: rateOf(time, { remaining: 720 - sent, resetIn: 1800 }),
    });
    return true;
  };
  for (let person = 0; person < 45; person += 1) {
    expect(await ask('interactive', false)).toBe(true);
    await time.pass(10_000);
  }
  for (let second = 0; second < 15; second += 1) {
    await ask('interactive', true);
    await time.pass(1000);
  }
  const since = time.elapsed;
  while (!(await ask('background', false))) await time.pass(1000);
  expect(time.elapsed - since).toBeLessThan(125_000);
  // Nor do they wait for each other any longer than usual.
  await time.pass(6000);
  expect(await ask('background', false)).toBe(true);
});
