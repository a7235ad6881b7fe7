/** Two processes with one store between them, each with its own cache over its own way to the service. */
import type { Keyv } from 'keyv';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { type Fault, ServiceError } from '../../../src/base/errors.ts';
import { createCache } from '../../../src/service/cache/cache.ts';
import type { Call, Layer } from '../../../src/service/call.ts';
import { createClient, type Service } from '../../../src/service/client.ts';
import { createDeduplicate } from '../../../src/service/deduplicate/deduplicate.ts';
import { live, profile } from '../../../src/service/endpoints.ts';
import { type Opened, type Place, redisPlace } from '../../store/support.ts';
import { hasRedis } from '../../support/requirements.ts';
import { places } from '../loopback.ts';

interface Asked {
  readonly call: Call;
  readonly at: number;
  answer(money: number): void;
  fail(fault: Fault, share?: 'burst'): void;
}

interface Process {
  readonly service: Service;
  /** What reached the service from here, oldest first. */
  readonly asked: Asked[];
  readonly keyv: Keyv;
}

const alice = { username: 'alice' };

describe.runIf(hasRedis)('two processes with one store (needs redis-server)', () => {
  let place: Place;
  let stores: readonly [Opened, Opened];
  let names = 0;
  /** Milliseconds by which the clock of both is ahead. */
  let ahead = 0;
  const clock = { now: () => Date.now() + ahead };

  beforeAll(async () => {
    place = await redisPlace();
    stores = [await place.open(), await place.open()];
  });
  afterAll(() => place.end());

  let one: Process;
  let two: Process;
  beforeEach(async () => {
    await place.flush();
    names += 1;
    one = start(stores[0]);
    two = start(stores[1]);
  });

  function start(from: Opened): Process {
    const asked: Asked[] = [];
    const layer: Layer = (call) => {
      const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<Layer>>>();
      const { endpoint } = call;
      asked.push({
        call,
        at: performance.now(),
        answer(money) {
          const body = endpoint === 'live' ? { time: Date.now(), players: {} } : { username: 'alice', money };
          resolve({ body, asOf: call.trueAt(body) ?? Date.now(), stale: null, rate: null });
        },
        fail: (fault, share) =>
          reject(
            new ServiceError(fault, { endpoint, sent: 'no', ...(share === undefined ? {} : { share }) }),
          ),
      });
      call.signal?.addEventListener('abort', () =>
        reject(new ServiceError('over-budget', { endpoint, sent: 'no', detail: 'dropped' })),
      );
      return promise;
    };
    const keyv = from.namespace(`answers${names}`, { maxRows: 100, maxBytes: 10_000_000 });
    const cache = createCache({ keyv, shared: true, clock });
    const deduplicate = createDeduplicate({ lock: from.lock, clock: systemClock });
    return { service: createClient({ layer: cache(deduplicate(layer)), places }), asked, keyv };
  }

  async function moneyOf({ service }: Process, ask = {}): Promise<number | null> {
    return (await service.get(profile, alice, ask)).record.money;
  }

  const all = () => [...one.asked, ...two.asked];
  const requests = (count: number) =>
    vi.waitFor(() => expect(all()).toHaveLength(count), { timeout: 5000, interval: 5 });
  /** Resolves when the last outcome is no longer shared with new callers. */
  const forgotten = (cacheKey: string) =>
    vi.waitFor(
      async () => {
        const passer = { cacheKey, id: 'passer', priority: 'background' as const };
        expect(await stores[0].lock?.claim(passer, null, 1000)).toEqual({ state: 'ours' });
        await stores[0].lock?.release(passer, null);
      },
      { timeout: 5000 },
    );
  /** Long enough to notice a caller that does not wait. */
  const aWhile = () => new Promise((resolve) => setTimeout(resolve, 400));

  test('make one request of a question that forty ask in both at once', async () => {
    const answers = Array.from({ length: 40 }, (_, index) => moneyOf(index % 2 === 0 ? one : two));
    await requests(1);
    await aWhile();
    all()[0]?.answer(7);
    expect(new Set(await Promise.all(answers))).toEqual(new Set([7]));
    expect(all()).toHaveLength(1);
    // And none of it when it is asked again.
    expect(await moneyOf(one)).toBe(7);
    expect(await moneyOf(two)).toBe(7);
    expect(all()).toHaveLength(1);
  });

  test('find what the other has just learned, however closely they follow each other', async () => {
    const first = moneyOf(one);
    await requests(1);
    all()[0]?.answer(7);
    await first;
    expect(await moneyOf(two)).toBe(7);
    expect(all()).toHaveLength(1);
  });

  test.for(['an answer', 'an unknown name'] as const)(
    'are told %s of a moment ago, though they looked into the store before it was there',
    async (what) => {
      const first = Promise.allSettled([moneyOf(one)]);
      await requests(1);
      if (what === 'an answer') one.asked[0]?.answer(7);
      else one.asked[0]?.fail('not-found');
      const told = await first;
      // As if it had looked a moment before.
      await two.keyv.delete(one.asked[0]?.call.cacheKey ?? '');
      const [later] = await Promise.allSettled([moneyOf(two)]);
      expect(later).toMatchObject(what === 'an answer' ? { value: 7 } : { reason: { fault: 'not-found' } });
      expect(told).toHaveLength(1);
      expect(all()).toHaveLength(1);
    },
  );

  test('ask for themselves where the other is of a version whose answers they cannot read', async () => {
    const probe = moneyOf(one);
    await requests(1);
    const cacheKey = one.asked[0]?.call.cacheKey ?? '';
    one.asked[0]?.fail('unavailable');
    await expect(probe).rejects.toThrow();
    const newer = { cacheKey, id: 'newer', priority: 'interactive' as const };
    await place.flush();
    await stores[0].lock?.claim(newer, null, 1500);
    await stores[0].lock?.release(newer, { answer: { body: { driver: 'alice' }, asOf: 1 } });
    const answer = moneyOf(two);
    await requests(2);
    two.asked[0]?.answer(8);
    expect(await answer).toBe(8);
  });

  test('wait for a slow answer as long as the one who asks is alive', async () => {
    const answers = [moneyOf(one), moneyOf(two)];
    await requests(1);
    await new Promise((resolve) => setTimeout(resolve, 3000));
    expect(all()).toHaveLength(1);
    all()[0]?.answer(7);
    expect(await Promise.all(answers)).toEqual([7, 7]);
  });

  test('ask in the place of one that has died, after the time of its lock', async () => {
    const dead = { cacheKey: '', id: 'dead', priority: 'interactive' as const };
    const probe = moneyOf(one);
    await requests(1);
    const cacheKey = all()[0]?.call.cacheKey ?? '';
    all()[0]?.fail('unavailable');
    await expect(probe).rejects.toThrow();
    // It took the lock, and was never heard of again.
    await place.flush();
    await stores[0].lock?.claim({ ...dead, cacheKey }, null, 1500);
    const begun = performance.now();
    const answer = moneyOf(two);
    await requests(2);
    const after = (two.asked[0]?.at ?? 0) - begun;
    expect(after).toBeGreaterThan(1000);
    expect(after).toBeLessThan(2500);
    two.asked[0]?.answer(8);
    expect(await answer).toBe(8);
  });

  test.for(['unavailable', 'over-budget', 'bad-response', 'unauthorised'] as const)(
    'hear of %s from the one who asked, instead of trying in vain themselves',
    async (fault) => {
      const answers = [moneyOf(one), moneyOf(two)];
      await requests(1);
      all()[0]?.fail(fault);
      expect(await Promise.allSettled(answers)).toMatchObject([{ reason: { fault } }, { reason: { fault } }]);
      expect(all()).toHaveLength(1);
      // A later caller makes a new request at once.
      const later = moneyOf(two);
      await requests(2);
      all().at(-1)?.answer(3);
      two.asked.at(-1)?.answer(3);
      expect(await later).toBe(3);
    },
  );

  test('hear that a name is unknown', async () => {
    const answers = [moneyOf(one), moneyOf(two)];
    await requests(1);
    all()[0]?.fail('not-found');
    const fault = 'not-found';
    expect(await Promise.allSettled(answers)).toMatchObject([{ reason: { fault } }, { reason: { fault } }]);
    expect(all()).toHaveLength(1);
  });

  test('do not refuse someone for another person’s share', async () => {
    const first = moneyOf(one);
    await requests(1);
    const second = moneyOf(two);
    await aWhile();
    one.asked[0]?.fail('over-budget', 'burst');
    await expect(first).rejects.toMatchObject({ share: 'burst' });
    await requests(2);
    two.asked[0]?.answer(5);
    expect(await second).toBe(5);
  });

  test("do not make a person wait for the other's poller, which gets the person's answer", async () => {
    const poller = moneyOf(one, { priority: 'background' });
    await requests(1);
    const person = moneyOf(two);
    await vi.waitFor(() => expect(two.asked).toHaveLength(1), { timeout: 300, interval: 5 });
    // The poller's own question is not wanted any more, and it is not asked again.
    await vi.waitFor(() => expect(one.asked[0]?.call.signal?.aborted).toBe(true), { timeout: 2000 });
    await aWhile();
    two.asked[0]?.answer(9);
    expect(await person).toBe(9);
    expect(await poller).toBe(9);
    expect(all()).toHaveLength(2);
  });

  test("make a person wait for the other's poller once its request is on its way, until it has to be sent again", async () => {
    const poller = moneyOf(one, { priority: 'background' });
    await requests(1);
    one.asked[0]?.call.onProgress?.('sent');
    await aWhile();
    const person = moneyOf(two);
    await aWhile();
    expect(two.asked).toHaveLength(0);
    one.asked[0]?.call.onProgress?.('waiting');
    await requests(2);
    two.asked[0]?.answer(9);
    expect(await Promise.all([poller, person])).toEqual([9, 9]);
  });

  test("give a person the answer of the other's poller that was on its way", async () => {
    const poller = moneyOf(one, { priority: 'background' });
    await requests(1);
    one.asked[0]?.call.onProgress?.('sent');
    // Longer than a lock lives that is not renewed.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    const person = moneyOf(two);
    await aWhile();
    one.asked[0]?.answer(7);
    expect(await Promise.all([poller, person])).toEqual([7, 7]);
    expect(all()).toHaveLength(1);
  });

  test('give a person the older record after the same moment as ever', async () => {
    const first = moneyOf(one);
    await requests(1);
    one.asked[0]?.answer(1);
    await first;
    await forgotten(one.asked[0]?.call.cacheKey ?? '');
    ahead = 6 * 60_000;
    const refreshing = one.service.get(profile, alice);
    await requests(2);
    const begun = performance.now();
    expect(await two.service.get(profile, alice)).toMatchObject({ record: { money: 1 }, stale: 'slow' });
    expect(performance.now() - begun).toBeLessThan(1800);
    expect(two.asked).toHaveLength(0);
    one.asked.at(-1)?.answer(2);
    await refreshing;
    expect(await moneyOf(two)).toBe(2);
    ahead = 0;
  });

  test('each ask for a live file themselves', async () => {
    const files = [one, two].map(({ service }) => service.get(live, { server: 'one' }));
    await requests(2);
    for (const { answer } of all()) answer(0);
    await Promise.all(files);
  });

  test('ask for themselves while the store is away, and have what was seen last in memory', async () => {
    const first = moneyOf(one);
    await requests(1);
    one.asked[0]?.answer(1);
    await first;
    // Nobody waits for the write, which is under way.
    const { cacheKey } = one.asked[0]?.call ?? { cacheKey: '' };
    await vi.waitFor(async () => expect(await two.keyv.get(cacheKey)).toBeDefined());
    const mend = await place.breakWrites();
    // Nothing is asked for what is known.
    expect(await moneyOf(one)).toBe(1);
    const unknown = moneyOf(two);
    await requests(2);
    two.asked[0]?.fail('over-budget');
    await expect(unknown).rejects.toMatchObject({ fault: 'over-budget' });
    await mend();
    await vi.waitFor(() => stores[1].documents.read('people', '1'), { timeout: 5000, interval: 20 });
    expect(await moneyOf(two)).toBe(1);
    expect(all()).toHaveLength(2);
  }, 15_000);
});
