import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLedger, type Ledger } from '../../../src/service/budget/ledger/ledger.ts';
import { VirtualTime } from '../../sim/virtual-time.ts';
import { ledgerDatabase, ledgerStoreOver } from '../../support/ledger-database.ts';
import { HOUR, MINUTE, rateOf, START } from './budget-in-memory.ts';

const FLIGHT_MS = 18_000;
/** What one wrong header may claim: one request a week. */
const WEEKLY = { limit: 1, windowSeconds: 604_800 };

let folder: string;
let time: VirtualTime;
let ledger: Ledger;
let database: DatabaseSync;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'budget-'));
  time = new VirtualTime(START);
  ledger = open();
});
afterEach(async () => {
  database.close();
  rmSync(folder, { recursive: true });
});

function open(): Ledger {
  database = ledgerDatabase(join(folder, 'ledger.sqlite'));
  const store = ledgerStoreOver({ database, clock: time.clock, boot: 'one' });
  return createLedger(store, { headroom: 0 });
}

async function restart(): Promise<void> {
  database.close();
  ledger = open();
}

/** False where no permit was to be had. */
async function request(told: Parameters<typeof rateOf>[1] = {}): Promise<boolean> {
  const { permit } = await ledger.take('interactive', FLIGHT_MS);
  if (permit === null) return false;
  await time.pass(100);
  await ledger.settle(permit, { kind: 'answered', rate: rateOf(time, told) });
  return true;
}

describe('one answer that claims a stricter limit', () => {
  test.each([
    ['of a key that is known', true],
    ['on the very first request', false],
  ])('%s stops the bot for a minute, not for a week', async (_when, isKnown) => {
    if (isKnown) expect(await request({ remaining: 700, resetIn: 3000 })).toBe(true);
    expect(await request(WEEKLY)).toBe(true);
    expect(await request()).toBe(false);
    const { trial, limit, available: left, next } = await ledger.snapshot();
    expect(trial).toEqual({ limit: 1, windowMs: 168 * HOUR, endsMs: MINUTE });
    expect({ limit, left }).toEqual({ limit: 720, left: 0 });
    expect(next.interactive).toEqual({ reason: 'spent', waitMs: MINUTE });
    expect(next.background).toEqual({ reason: 'spent', waitMs: MINUTE });
    await time.pass(MINUTE);
    expect(await request({ remaining: 690, resetIn: 2600 })).toBe(true);
    expect(await ledger.snapshot()).toMatchObject({ limit: 720, windowMs: HOUR, trial: null });
  });

  test('is remembered over a restart, and forgotten at its time', async () => {
    await request({ remaining: 700, resetIn: 3000 });
    await request(WEEKLY);
    await time.pass(MINUTE / 2);
    await restart();
    expect(await request()).toBe(false);
    expect((await ledger.snapshot()).trial?.endsMs).toBe(MINUTE / 2);
    await time.pass(MINUTE / 2);
    await restart();
    expect(await request({ remaining: 690, resetIn: 2600 })).toBe(true);
    expect((await ledger.snapshot()).trial).toBeNull();
  });

  test('holds back no more than a minute of a key with a long window', async () => {
    const daily = { limit: 100_000, windowSeconds: 86_400, remaining: 90_000, resetIn: 50_000 };
    await request(daily);
    await request(WEEKLY);
    expect((await ledger.snapshot()).trial?.endsMs).toBe(MINUTE);
  });
});

describe('a second answer', () => {
  const stricter = { limit: 100, windowSeconds: 3600, remaining: 50, resetIn: 1800 };

  test('confirms it, and it survives a restart', async () => {
    await request({ remaining: 700, resetIn: 3000 });
    await request(stricter);
    expect(await ledger.snapshot()).toMatchObject({ limit: 720, trial: { limit: 100 } });
    await request(stricter);
    expect(await ledger.snapshot()).toMatchObject({ limit: 100, windowMs: HOUR, trial: null });
    await time.pass(10 * MINUTE);
    await restart();
    expect(await ledger.snapshot()).toMatchObject({ limit: 100, trial: null });
  });

  test('confirms it also after the trial, which may have prevented the request', async () => {
    await request({ remaining: 700, resetIn: 3000 });
    await request(WEEKLY);
    await time.pass(MINUTE);
    expect(await request(WEEKLY)).toBe(true);
    expect(await ledger.snapshot()).toMatchObject({ limit: 1, windowMs: 168 * HOUR, trial: null });
  });

  test('does not confirm it if both were under way together: one fault may be the cause', async () => {
    await request({ remaining: 700, resetIn: 3000 });
    const [one, two] = [
      await ledger.take('interactive', FLIGHT_MS),
      await ledger.take('interactive', FLIGHT_MS),
    ];
    if (one.permit === null || two.permit === null) throw new Error('there should be permits');
    for (const permit of [one.permit, two.permit]) {
      await time.pass(50);
      await ledger.settle(permit, { kind: 'answered', rate: rateOf(time, WEEKLY) });
    }
    expect(await ledger.snapshot()).toMatchObject({ limit: 720, trial: { endsMs: MINUTE - 50 } });
  });

  test('hours later is a first one again', async () => {
    await request({ remaining: 700, resetIn: 3000 });
    await request(WEEKLY);
    await time.pass(2 * HOUR + 1000);
    await request(WEEKLY);
    expect(await ledger.snapshot()).toMatchObject({ limit: 720, trial: { limit: 1 } });
  });
});
