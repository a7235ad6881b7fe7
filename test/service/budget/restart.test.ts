import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLedger, type Ledger } from '../../../src/service/budget/ledger/ledger.ts';
import { VirtualTime } from '../../sim/virtual-time.ts';
import { ledgerDatabase, ledgerStoreOver } from '../../support/ledger-database.ts';
import { HOUR, MINUTE, rateOf, START } from './budget-in-memory.ts';

/** A small key, since each permit is written to the disk. */
const LIMIT = 60;

let folder: string;
const opened: DatabaseSync[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'budget-'));
});
afterEach(async () => {
  for (const database of opened.splice(0)) database.close();
  rmSync(folder, { recursive: true });
});

function open(time: VirtualTime, boot: string | null = 'one'): Ledger {
  const database = ledgerDatabase(join(folder, 'ledger.sqlite'));
  opened.push(database);
  return createLedger(ledgerStoreOver({ database, clock: time.clock, boot }), { headroom: 0 });
}

async function spend(ledger: Ledger, time: VirtualTime, count: number): Promise<number> {
  for (let spent = 0; spent < count; spent += 1) {
    const { permit } = await ledger.take('interactive', 20_000);
    if (permit === null) return spent;
    await time.pass(100);
    await ledger.settle(permit, { kind: 'answered', rate: rateOf(time, { limit: LIMIT }) });
  }
  return count;
}

const spentNow = async (ledger: Ledger): Promise<number> => (await ledger.snapshot()).spent.interactive;

describe('a restart of the bot', () => {
  test('forgets no permit', async () => {
    const time = new VirtualTime(START);
    expect(await spend(open(time), time, 40)).toBe(40);
    await time.pass(MINUTE);
    expect(await spend(open(time), time, 40)).toBe(20);
  });

  test('keeps the bound and the pause after a refusal', async () => {
    const time = new VirtualTime(START);
    const before = open(time);
    const { permit } = await before.take('interactive', 20_000);
    if (permit === null) throw new Error('a new ledger grants its first permit');
    const rate = rateOf(time, { remaining: 0, retryAfter: 600 });
    await before.settle(permit, { kind: 'refused', rate });
    await time.pass(MINUTE - 1000);
    const after = await open(time).take('interactive', 20_000);
    expect(after).toMatchObject({ permit: null, reason: 'closed' });
  });

  test('counts a request whose answer the process did not live to see', async () => {
    const time = new VirtualTime(START);
    await open(time).take('interactive', 20_000);
    await time.pass(HOUR + 15_000);
    const after = open(time);
    expect(await spentNow(after)).toBe(1);
    await time.pass(10_000);
    expect(await spentNow(after)).toBe(0);
  });

  test.each([
    { way: 'back', step: -HOUR, boot: 'one' },
    { way: 'forward', step: 20 * HOUR, boot: 'one' },
    { way: 'back, and nothing tells starts of the machine apart', step: -HOUR, boot: null },
    { way: 'forward, and nothing tells starts of the machine apart', step: 20 * HOUR, boot: null },
  ])('is not fooled by a wall clock that was stepped $way', async ({ step, boot }) => {
    const time = new VirtualTime(START);
    await spend(open(time, boot), time, LIMIT);
    time.stepWall(step);
    await time.pass(MINUTE);
    expect(await spend(open(time, boot), time, 1)).toBe(0);
  });

  test('releases permits after a window although the wall clock was stepped meanwhile', async () => {
    const time = new VirtualTime(START);
    await spend(open(time), time, LIMIT);
    time.stepWall(-5 * HOUR);
    await time.pass(HOUR + 3000);
    expect(await spend(open(time), time, LIMIT)).toBe(LIMIT);
  });
});

describe('a restart of the machine', () => {
  test('counts the time by the wall clock', async () => {
    const time = new VirtualTime(START);
    await spend(open(time, 'one'), time, LIMIT);
    const half = new VirtualTime(START + HOUR / 2, 10_000);
    expect(await spend(open(half, 'two'), half, 1)).toBe(0);
    const later = new VirtualTime(START + HOUR + 2 * MINUTE, 10_000);
    expect(await spend(open(later, 'three'), later, 30)).toBe(30);
  });

  test('with a clock that came up in the past gives nothing away', async () => {
    const time = new VirtualTime(START);
    await spend(open(time, 'one'), time, LIMIT);
    const past = new VirtualTime(0, 10_000);
    const after = open(past, 'two');
    expect(await spend(after, past, 1)).toBe(0);
    await past.pass(HOUR + 2000);
    expect(await spend(after, past, 30)).toBe(30);
  });
});

describe('two processes on one file', () => {
  test('share one budget', async () => {
    const time = new VirtualTime(START);
    const [one, other] = [open(time), open(time)];
    let granted = 0;
    for (let round = 0; round < 50; round += 1)
      granted += (await spend(one, time, 1)) + (await spend(other, time, 1));
    expect(granted).toBe(LIMIT);
  });

  test('let one probe for both', async () => {
    const time = new VirtualTime(START);
    const [one, other] = [open(time), open(time)];
    expect((await one.take('interactive', 20_000)).permit).not.toBeNull();
    expect(await other.take('interactive', 20_000)).toMatchObject({ permit: null, reason: 'probe' });
  });

  test('agree about the time although the wall clock was stepped between their starts', async () => {
    const time = new VirtualTime(START);
    const one = open(time);
    await spend(one, time, 50);
    time.stepWall(3 * HOUR);
    const other = open(time);
    expect(await spentNow(other)).toBe(50);
    expect(await spend(other, time, 100)).toBe(10);
    expect(await spentNow(one)).toBe(LIMIT);
  });
});

test('starts over from an unreadable state with one probe, and forgets no permit', async () => {
  const time = new VirtualTime(START);
  await spend(open(time), time, 30);
  const database = ledgerDatabase(join(folder, 'ledger.sqlite'));
  database.exec(`UPDATE budget_state SET standing = '{"seq": "broken"}'`);
  database.close();
  const after = open(time);
  expect((await after.take('interactive', 20_000)).permit).not.toBeNull();
  expect(await after.take('interactive', 20_000)).toMatchObject({ reason: 'probe' });
  expect(await spentNow(after)).toBe(31);
});
