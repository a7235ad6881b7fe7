import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock as clock } from '../../../src/clock.ts';
import type { RateReport } from '../../../src/errors.ts';
import type { Ledger } from '../../../src/service/budget/ledger/ledger.ts';
import { openEmbeddedLedger, openSharedLedger } from '../../../src/service/budget/ledger/open.ts';
import { createRedis, type RedisServer, TestClient } from '../../support/redis.ts';
import { hasRedis } from '../../support/requirements.ts';
import { killAtRandom, pause, startService, startSpender } from './soak.ts';

/** Of both ledgers; `SOAK_SECONDS` lengthens it. */
const SOAK_MS = Number(process.env['SOAK_SECONDS'] ?? 12) * 1000;
const FLIGHT_MS = 20_000;

interface Place {
  /** Another handle on the same ledger, as another process would have it. */
  open(): Promise<Ledger>;
  /** For a process of its own. */
  readonly address: string;
  /** What is never spent. */
  readonly headroom: number;
  end(): Promise<void>;
}

function embedded(): Place {
  const folder = mkdtempSync(join(tmpdir(), 'budget-'));
  const file = join(folder, 'ledger.sqlite');
  const opened: Ledger[] = [];
  return {
    open: async () => {
      const ledger = openEmbeddedLedger({ file, clock });
      opened.push(ledger);
      return ledger;
    },
    address: `file:${file}`,
    headroom: 0,
    end: async () => {
      for (const ledger of opened) await ledger.close();
      rmSync(folder, { recursive: true });
    },
  };
}

let redis: RedisServer;
let redisFolder: string;
const clients: TestClient[] = [];

async function connect(): Promise<TestClient> {
  const client = new TestClient(redis.port);
  clients.push(client);
  await client.ready();
  return client;
}

beforeAll(async () => {
  if (!hasRedis) return;
  redisFolder = mkdtempSync(join(tmpdir(), 'budget-redis-'));
  redis = await createRedis(redisFolder);
  await redis.start();
});

afterAll(async () => {
  if (!hasRedis) return;
  for (const client of clients) client.close();
  await redis.stop();
  rmSync(redisFolder, { recursive: true });
});

async function shared(): Promise<Place> {
  await (await connect()).command('FLUSHALL');
  return {
    open: async () => openSharedLedger({ client: await connect(), name: 'budget-test' }),
    address: `redis:${redis.port}`,
    headroom: 4,
    end: async () => {},
  };
}

const silent = {
  limit: null,
  windowSeconds: null,
  remaining: null,
  reset: null,
  date: null,
  retryAfter: null,
};
/** A small budget, so that tests of a whole window take seconds. */
const SMALL = { ...silent, limit: 20, windowSeconds: 2 };

async function spend(ledger: Ledger, rate: RateReport = SMALL): Promise<boolean> {
  const { permit } = await ledger.take('interactive', FLIGHT_MS);
  if (permit === null) return false;
  await ledger.settle(permit, { kind: 'answered', rate });
  return true;
}

async function spendAll(ledger: Ledger): Promise<number> {
  for (let spent = 0; ; spent += 1) if (!(await spend(ledger))) return spent;
}

describe.each([
  { name: 'the embedded ledger', make: embedded, runs: true },
  { name: 'the shared ledger (needs redis-server)', make: shared, runs: hasRedis },
])('$name', ({ make, runs }) => {
  describe.runIf(runs)('keeps the contract', () => {
    let place: Place;
    let ledger: Ledger;
    beforeEach(async () => {
      place = await make();
      ledger = await place.open();
      return () => place.end();
    });

    test('grants the limit and no more, until a window and a second have passed', async () => {
      expect(await spendAll(ledger)).toBe(20 - place.headroom);
      const refused = await ledger.take('interactive', FLIGHT_MS);
      expect(refused).toMatchObject({ permit: null, reason: 'spent' });
      await pause(refused.permit === null ? refused.waitMs + 50 : 0);
      expect(await spend(ledger)).toBe(true);
    });

    test('lets one request ask while nothing is known, and follows its answer', async () => {
      const other = await place.open();
      const first = await ledger.take('interactive', FLIGHT_MS);
      expect(await other.take('interactive', FLIGHT_MS)).toMatchObject({ permit: null, reason: 'probe' });
      if (first.permit === null) throw new Error('a new ledger grants its first permit');
      const date = Date.now();
      const rate = { ...SMALL, remaining: 0, date, reset: date / 1000 + 2 };
      await ledger.settle(first.permit, { kind: 'answered', rate });
      expect(await other.take('interactive', FLIGHT_MS)).toMatchObject({ permit: null, reason: 'headers' });
    });

    test('another may ask when the one that asked has failed', async () => {
      const first = await ledger.take('interactive', FLIGHT_MS);
      if (first.permit === null) throw new Error('a new ledger grants its first permit');
      await ledger.settle(first.permit, { kind: 'doubtful' });
      expect((await ledger.take('interactive', FLIGHT_MS)).permit).not.toBeNull();
      expect((await ledger.snapshot()).spent.interactive).toBe(2);
    });

    test('takes back what never left, and counts what is in doubt', async () => {
      await spend(ledger);
      const [back, doubtful] = [
        await ledger.take('background', FLIGHT_MS),
        await ledger.take('interactive', FLIGHT_MS),
      ];
      if (back.permit === null || doubtful.permit === null) throw new Error('there should be permits');
      await ledger.settle(back.permit, { kind: 'unsent' });
      await ledger.settle(doubtful.permit, { kind: 'doubtful' });
      expect((await ledger.snapshot()).spent).toEqual({ interactive: 2, background: 0 });
    });

    test('leaves background requests their pace and the reserve', async () => {
      await spend(ledger);
      expect((await ledger.take('background', FLIGHT_MS)).permit).not.toBeNull();
      expect(await ledger.take('background', FLIGHT_MS)).toMatchObject({ permit: null, reason: 'pace' });
      for (let index = 0; index < 13; index += 1) await spend(ledger);
      await pause(150);
      expect(await ledger.take('background', FLIGHT_MS)).toMatchObject({ permit: null, reason: 'reserve' });
      expect(await spend(ledger)).toBe(true);
    });

    test('closes the gate for everybody after a refusal', async () => {
      const other = await place.open();
      const { permit } = await ledger.take('interactive', FLIGHT_MS);
      if (permit === null) throw new Error('a new ledger grants its first permit');
      const settled = await ledger.settle(permit, { kind: 'refused', rate: { ...SMALL, retryAfter: 1 } });
      expect(settled).toEqual({ closedMs: 1000, closedNow: true });
      expect(await other.take('interactive', FLIGHT_MS)).toMatchObject({ permit: null, reason: 'closed' });
      expect(await other.snapshot()).toMatchObject({ refusals: 1 });
      await pause(1050);
      expect((await other.take('interactive', FLIGHT_MS)).permit).not.toBeNull();
    });

    test('tells the figures of the budget', async () => {
      await spend(ledger);
      await ledger.take('background', FLIGHT_MS);
      const { nextReleaseMs, ...figures } = await ledger.snapshot();
      expect(figures).toEqual({
        limit: 20,
        windowMs: 2000,
        spent: { interactive: 1, background: 1 },
        reserve: 3,
        otherUsage: 0,
        remaining: null,
        refusals: 0,
        closedMs: 0,
      });
      expect(nextReleaseMs).toBeGreaterThan(2500);
      expect(nextReleaseMs).toBeLessThanOrEqual(3000);
    });

    test('two handles that take at once share one budget', async () => {
      await spend(ledger);
      const handles = [ledger, await place.open(), await place.open()];
      const spent = await Promise.all(handles.map(spendAll));
      expect(1 + spent.reduce((sum, own) => sum + own, 0)).toBe(20 - place.headroom);
    });

    test('is never over in any phase of a window while two processes are killed at random', {
      timeout: SOAK_MS + 20_000,
    }, async () => {
      const budget = { limit: 80, windowMs: 5000 };
      await using service = await startService('sliding-log', budget);
      await using one = startSpender(service.url, place.address);
      await using other = startSpender(service.url, place.address);
      await killAtRandom([one, other], SOAK_MS);
      expect(one.starts + other.starts).toBeGreaterThan(4);
      expect(service.refused).toBe(0);
      expect(service.most()).toBeLessThanOrEqual(budget.limit);
      // Alive: permits of killed processes count for long, so that not all of the budget can be spent.
      expect(service.arrivals.length).toBeGreaterThan((budget.limit * SOAK_MS) / budget.windowMs / 4);
    });
  });
});

describe.runIf(hasRedis)('the shared store (needs redis-server)', () => {
  const budget = { limit: 80, windowMs: 5000 };
  let place: Place;
  beforeEach(async () => {
    place = await shared();
  });

  test("goes on from where it was when the server's clock is put back", async () => {
    const ledger = await place.open();
    expect(await spend(ledger)).toBe(true);
    const { permit: before } = await ledger.take('interactive', FLIGHT_MS);
    // As if the clock had shown an hour more when this was written.
    const later = Date.now() + 3_600_000;
    await (await connect()).command('HSET', '{budget-test}:state', 'last', String(later));
    const { permit: after } = await ledger.take('interactive', FLIGHT_MS);
    expect(before?.takenAt).toBeLessThan(later);
    expect(after?.takenAt).toBeGreaterThanOrEqual(later);
    expect(after?.takenAt).toBeLessThan(later + 5000);
  });

  test('flushed again and again, nobody is refused', { timeout: 40_000 }, async () => {
    await using service = await startService('sliding-log', budget);
    await using _one = startSpender(service.url, place.address);
    await using _other = startSpender(service.url, place.address);
    const client = await connect();
    for (let flush = 0; flush < 5; flush += 1) {
      await pause(1000 + Math.random() * 1500);
      await client.command('FLUSHALL');
    }
    await pause(1000);
    expect(service.refused).toBe(0);
    expect(service.most()).toBeLessThanOrEqual(budget.limit);
    expect(service.arrivals.length).toBeGreaterThan(budget.limit / 2);
  });

  test('away, nothing is sent; back, it goes on within five seconds', { timeout: 40_000 }, async () => {
    await using service = await startService('gcra', budget);
    await using _one = startSpender(service.url, place.address);
    await using _other = startSpender(service.url, place.address);
    const untilMore = async (count: number): Promise<number> => {
      const since = performance.now();
      const before = service.arrivals.length;
      while (service.arrivals.length < before + count) await pause(10);
      return performance.now() - since;
    };
    await untilMore(50);
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      await redis.stop(signal);
      await pause(200);
      const before = service.arrivals.length;
      await pause(1500);
      expect(service.arrivals.length).toBe(before);
      await redis.start();
      expect(await untilMore(5)).toBeLessThan(5000);
    }
    expect(service.refused).toBe(0);
    expect(service.most()).toBeLessThanOrEqual(budget.limit);
  });
});
