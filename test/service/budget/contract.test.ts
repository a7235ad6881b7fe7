import { describe, expect, test } from 'vitest';
import type { RateReport } from '../../../src/base/errors.ts';
import type { Ledger } from '../../../src/service/budget/ledger/ledger.ts';
import type { Permit } from '../../../src/service/budget/ledger/ledger-store.ts';
import type { Priority } from '../../../src/service/endpoints.ts';
import { hasPostgres } from '../../support/requirements.ts';
import { embedded, shared } from './places.ts';
import { pause } from './soak.ts';

const FLIGHT_MS = 20_000;

const silent = {
  limit: null,
  windowSeconds: null,
  remaining: null,
  reset: null,
  date: null,
  retryAfter: null,
};
/** A small budget, so that tests of a whole window take two seconds. */
const SMALL = { ...silent, limit: 20, windowSeconds: 1 };

async function take(ledger: Ledger, kind: Priority = 'interactive'): Promise<Permit> {
  const { permit } = await ledger.take(kind, FLIGHT_MS);
  if (permit === null) throw new Error('there should be a permit');
  return permit;
}

async function spend(ledger: Ledger, rate: RateReport = SMALL): Promise<boolean> {
  const { permit } = await ledger.take('interactive', FLIGHT_MS);
  if (permit === null) return false;
  await ledger.settle(permit, { kind: 'answered', rate });
  return true;
}

async function spendAll(ledger: Ledger): Promise<number> {
  for (let spent = 0; ; spent += 1) if (!(await spend(ledger))) return spent;
}

// Most of these wait for a window to pass, so they wait together: each has a ledger of its own.
describe.each([
  { name: 'the embedded ledger', make: embedded, runs: true },
  { name: 'the shared ledger (needs postgres)', make: shared, runs: hasPostgres },
])('$name', ({ make, runs }) => {
  describe.runIf(runs).concurrent('keeps the contract', () => {
    test('grants the limit and no more, until a window and a second have passed', async () => {
      await using place = await make();
      const ledger = await place.open();
      await spend(ledger);
      const since = performance.now();
      const granted = await spendAll(ledger);
      // On a machine that is very slow a permit may end meanwhile.
      if (performance.now() - since < 1900) expect(granted).toBe(19 - place.headroom);
      const refused = await ledger.take('interactive', FLIGHT_MS);
      expect(refused).toMatchObject({ permit: null, reason: 'spent' });
      await pause(refused.permit === null ? refused.waitMs + 50 : 0);
      expect(await spend(ledger)).toBe(true);
    });

    test('lets one request ask while nothing is known, and follows its answer', async () => {
      await using place = await make();
      const [ledger, other] = [await place.open(), await place.open()];
      const first = await take(ledger);
      expect(await other.take('interactive', FLIGHT_MS)).toMatchObject({ permit: null, reason: 'probe' });
      const date = Date.now();
      const rate = { ...SMALL, remaining: 0, date, reset: date / 1000 + 1 };
      await ledger.settle(first, { kind: 'answered', rate });
      expect(await other.take('interactive', FLIGHT_MS)).toMatchObject({ permit: null, reason: 'headers' });
    });

    describe('a first reading of nothing left', () => {
      const nothingLeft = (): RateReport => {
        const date = Date.now();
        return { ...silent, limit: 720, windowSeconds: 3600, remaining: 0, date, reset: date / 1000 + 3599 };
      };
      const closeBy = async (ledger: Ledger): Promise<void> => {
        await ledger.settle(await take(ledger), { kind: 'answered', rate: nothingLeft() });
      };

      test('closes the key for a minute, over a restart too, then one request probes', async () => {
        await using place = await make();
        const [ledger, other] = [await place.open(), await place.open()];
        await closeBy(ledger);
        const denied = await other.take('interactive', FLIGHT_MS);
        expect(denied).toMatchObject({ permit: null, reason: 'headers' });
        const { waitMs, reason } = (await other.snapshot()).next.interactive;
        expect(reason).toBe('headers');
        expect(waitMs).toBeLessThanOrEqual(60_000);
        expect(waitMs).toBeGreaterThan(30_000);
        await place.elapse(60_000);
        const handles = [ledger, other, await place.open()];
        const decisions = await Promise.all(handles.map((handle) => handle.take('interactive', FLIGHT_MS)));
        expect(decisions.filter(({ permit }) => permit !== null)).toHaveLength(1);
        expect(decisions.filter(({ permit }) => permit === null)).toEqual([
          expect.objectContaining({ reason: 'probe' }),
          expect.objectContaining({ reason: 'probe' }),
        ]);
        expect((await other.snapshot()).next.interactive.reason).toBe('probe');
      });

      test('is forgotten if the probe finds requests left', async () => {
        await using place = await make();
        const ledger = await place.open();
        await closeBy(ledger);
        await place.elapse(60_000);
        await ledger.settle(await take(ledger), {
          kind: 'answered',
          rate: { ...nothingLeft(), remaining: 718 },
        });
        await take(ledger);
        await take(ledger);
      });

      test.each(['answered', 'refused'] as const)(
        'closes the window if its probe is %s with nothing left: no second probe',
        async (kind) => {
          await using place = await make();
          const ledger = await place.open();
          await closeBy(ledger);
          await place.elapse(60_000);
          await ledger.settle(await take(ledger), { kind, rate: { ...nothingLeft(), retryAfter: null } });
          await place.elapse(50 * 60_000);
          expect((await ledger.take('interactive', FLIGHT_MS)).permit).toBeNull();
          await place.elapse(10 * 60_000);
          await take(ledger);
        },
      );

      test('waits another minute if the probe has no answer', async () => {
        await using place = await make();
        const ledger = await place.open();
        await closeBy(ledger);
        await place.elapse(60_000);
        await ledger.settle(await take(ledger), { kind: 'doubtful' });
        expect(await ledger.take('interactive', FLIGHT_MS)).toMatchObject({
          permit: null,
          reason: 'headers',
        });
        await place.elapse(60_000);
        await take(ledger);
      });
    });

    test('another may ask when the one that asked has failed', async () => {
      await using place = await make();
      const ledger = await place.open();
      await ledger.settle(await take(ledger), { kind: 'doubtful' });
      await take(ledger);
      expect((await ledger.snapshot()).spent.interactive).toBe(2);
    });

    test('takes back what never left, and counts what is in doubt', async () => {
      await using place = await make();
      const ledger = await place.open();
      await spend(ledger, { ...silent, limit: 20, windowSeconds: 60 });
      const [back, doubtful] = [await take(ledger, 'background'), await take(ledger)];
      await ledger.settle(back, { kind: 'unsent' });
      await ledger.settle(doubtful, { kind: 'doubtful' });
      expect((await ledger.snapshot()).spent).toEqual({ interactive: 2, background: 0 });
    });

    test('leaves background requests their pace and the reserve', async () => {
      await using place = await make();
      const ledger = await place.open();
      // One in 720 ms, in a window of which enough is known until it is over.
      const date = Date.now();
      const paced = { ...silent, limit: 20, windowSeconds: 12, remaining: 19, date, reset: date / 1000 + 12 };
      await spend(ledger, paced);
      await spend(ledger, paced);
      await take(ledger, 'background');
      const next = await ledger.take('background', FLIGHT_MS);
      expect(next).toMatchObject({ permit: null, reason: 'pace' });
      // All but one.
      for (let spent = 3; spent < 19 - place.headroom; spent += 1) await spend(ledger, paced);
      await pause(next.permit === null ? next.waitMs : 0);
      expect(await ledger.take('background', FLIGHT_MS)).toMatchObject({ permit: null, reason: 'reserve' });
      expect(await spend(ledger, paced)).toBe(true);
    });

    test('stops everybody after a refusal', async () => {
      await using place = await make();
      const [ledger, other] = [await place.open(), await place.open()];
      const rate = { ...SMALL, retryAfter: 1 };
      expect(await ledger.settle(await take(ledger), { kind: 'refused', rate })).toBe(1000);
      expect(await other.take('interactive', FLIGHT_MS)).toMatchObject({ permit: null, reason: 'closed' });
      expect(await other.snapshot()).toMatchObject({ refusals: 1 });
      await pause(1050);
      await take(other);
    });

    test('reports the figures of the budget', async () => {
      await using place = await make();
      const ledger = await place.open();
      const minute = { ...silent, limit: 20, windowSeconds: 60 };
      await spend(ledger, minute);
      await take(ledger, 'background');
      expect(await ledger.snapshot()).toMatchObject({
        limit: 20,
        windowMs: 60_000,
        spent: { interactive: 1, background: 1 },
        otherUsage: 0,
        heldBack: place.headroom,
        available: 18 - place.headroom,
        next: { interactive: { reason: null }, background: { reason: 'pace' } },
        trial: null,
        refusals: 0,
        closedMs: 0,
      });
      const { nextReleaseMs } = await ledger.snapshot();
      expect(nextReleaseMs).toBeGreaterThan(50_000);
      expect(nextReleaseMs).toBeLessThanOrEqual(61_000);
    });

    test('three handles that take at once share one budget', async () => {
      await using place = await make();
      const ledger = await place.open();
      const minute = { ...silent, limit: 20, windowSeconds: 60 };
      await spend(ledger, minute);
      await spend(ledger, minute);
      const handles = [ledger, await place.open(), await place.open()];
      const spent = await Promise.all(handles.map(spendAll));
      expect(2 + spent.reduce((sum, own) => sum + own, 0)).toBe(20 - place.headroom);
    });
  });
});

describe.runIf(hasPostgres)('the shared ledger (needs postgres)', () => {
  test("continues from where it was when the server's clock is set back", async () => {
    await using place = await shared();
    const ledger = await place.open();
    expect(await spend(ledger)).toBe(true);
    const before = await take(ledger);
    // As if the clock had shown an hour more when this was written.
    const later = Date.now() + 3_600_000;
    await place.query(
      `UPDATE pitwall.budget_state SET reading =
         (reading::jsonb || jsonb_build_object('time', $1::float8, 'wall', $1::float8))::text`,
      [later],
    );
    const after = await take(ledger);
    expect(before.takenAt).toBeLessThan(later);
    expect(after.takenAt).toBeGreaterThanOrEqual(later);
    expect(after.takenAt).toBeLessThan(later + 5000);
  });
});
