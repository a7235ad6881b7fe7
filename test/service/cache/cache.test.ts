import Keyv from 'keyv';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { HOUR, MINUTE, SECOND } from '../../../src/base/duration.ts';
import { type Fault, ServiceError } from '../../../src/base/errors.ts';
import { contextFor } from '../../../src/command-kit/context.ts';
import { createCache } from '../../../src/service/cache/cache.ts';
import type { Call, Layer } from '../../../src/service/call.ts';
import { createClient, type Service } from '../../../src/service/client.ts';
import { car, live, overview, profile } from '../../../src/service/endpoints.ts';
import { contextParts } from '../../support/context.ts';
import { createTranslators } from '../../support/translators.ts';
import { key, places } from '../loopback.ts';

beforeEach(() => {
  // Only what the cache and its store go by; sockets keep real time.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** One question as it reached the layer below, to be answered when the test says. */
interface Below {
  readonly call: Call;
  answer(money: number): void;
  fail(fault: Fault): void;
  crash(bug: Error): void;
}

interface TriedCache {
  readonly service: Service;
  /** Another process over the same store, below its client. */
  start(): Layer;
  readonly below: Below[];
  readonly store: Map<string, unknown>;
  readonly warnings: string[];
  readonly bugs: unknown[];
  /** Nothing that needs the key can be recorded. */
  isStoreAway: boolean;
  /** How questions are answered at once; null leaves them waiting. */
  mood: 'well' | Fault | null;
  /** What nobody reads of a good answer. */
  filler: string;
  /** What a good answer says; grows by one with each. */
  money: number;
  /** The same with its client. */
  restart(): Service;
}

function build(store = new Map<string, unknown>(), keyv?: Keyv, shared = false): TriedCache {
  const below: Below[] = [];
  const warnings: string[] = [];
  const bugs: unknown[] = [];
  const layer: Layer = (call) => {
    const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<Layer>>>();
    const entry: Below = {
      call,
      answer: (money) => {
        const body = { ...bodyOf(call, money), filler: cache.filler };
        resolve({ body, asOf: call.trueAt(body) ?? Date.now(), stale: null, rate: null });
      },
      fail: (fault) => reject(new ServiceError(fault, { endpoint: call.endpoint, sent: 'maybe' })),
      crash: reject,
    };
    below.push(entry);
    if (cache.mood === 'well') {
      cache.money += 1;
      entry.answer(cache.money);
    } else if (cache.mood !== null) entry.fail(cache.mood);
    return promise;
  };
  const start = (): Layer =>
    createCache({
      shared,
      keyv: keyv ?? new Keyv({ store, throwOnErrors: true }),
      clock: systemClock,
      isStoreAway: () => cache.isStoreAway,
      onBug: (bug) => bugs.push(bug),
      onStoreFailure: (doing) => warnings.push(doing),
    })(layer);
  const restart = (): Service => createClient({ layer: start(), places });
  const cache: TriedCache = {
    service: restart(),
    start,
    below,
    store,
    warnings,
    bugs,
    isStoreAway: false,
    mood: 'well',
    filler: '',
    money: 0,
    restart,
  };
  return cache;
}

function bodyOf({ endpoint, query }: Call, money: number): object {
  if (endpoint === 'car') return { vin: query['vin'], marketPrice: money };
  if (endpoint === 'live') return { time: Date.now(), players: {} };
  if (endpoint === 'overview') return { one: { online: true, guests: money } };
  return { username: query['username'], money };
}

const alice = { username: 'alice' };

/** Lets everything run that waits for nothing but its turn. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

async function moneyOf(service: Service, username = 'alice'): Promise<number | null> {
  return (await service.get(profile, { username })).record.money;
}

test('what arrives while a slow store is still being read is not asked for again', async () => {
  const store = new Map<string, unknown>();
  const reads: (() => void)[] = [];
  // Tells what was stored when the read began, as a store across a network may.
  Object.assign(store, {
    get: (cacheKey: string) => {
      const found = Map.prototype.get.call(store, cacheKey);
      return new Promise((resolve) => reads.push(() => resolve(found)));
    },
  });
  const cache = build(store);
  cache.mood = null;
  const first = moneyOf(cache.service);
  await settle();
  reads[0]?.();
  await settle();
  const second = moneyOf(cache.service);
  await settle();
  cache.below[0]?.answer(7);
  expect(await first).toBe(7);
  reads[1]?.();
  expect(await second).toBe(7);
  expect(cache.below.length).toBe(1);
});

test('serves a name in any case, and each VIN', async () => {
  const cache = build();
  await cache.service.get(profile, { username: 'Alice' });
  await cache.service.get(profile, { username: 'ALICE' });
  await cache.service.get(car, { vin: 'ab12c' });
  await cache.service.get(car, { vin: 'AB12C' });
  expect(cache.below.length).toBe(2);
});

test('an answer shared by twenty callers is written once', async () => {
  const cache = build();
  const writes: string[] = [];
  Object.assign(cache.store, {
    set: (cacheKey: string, value: unknown) => {
      writes.push(cacheKey);
      return Map.prototype.set.call(cache.store, cacheKey, value);
    },
  });
  for (const mood of ['well', 'not-found'] as const) {
    cache.mood = mood;
    const vin = mood === 'well' ? 'AB12C' : 'ZZZZZ';
    await Promise.allSettled(Array.from({ length: 20 }, () => cache.service.get(car, { vin })));
  }
  expect(writes).toHaveLength(2);
});

test('an answer that comes again and again is written each five minutes', async () => {
  const cache = build();
  let writes = 0;
  let isFull = true;
  Object.assign(cache.store, {
    set(cacheKey: string, value: unknown) {
      writes += 1;
      if (isFull) throw new Error('full');
      return Map.prototype.set.call(cache.store, cacheKey, value);
    },
  });
  const ask = async (minutes: number): Promise<void> => {
    vi.setSystemTime(Date.now() + minutes * MINUTE);
    await cache.service.get(car, { vin: 'AB12C' }, { maxAge: 0 });
    await settle();
  };
  await ask(0);
  isFull = false;
  await ask(1);
  expect(writes).toBe(2);
  for (let minute = 0; minute < 4; minute += 1) await ask(1);
  expect(writes).toBe(2);
  await ask(2);
  expect(writes).toBe(3);
});

describe('an answer', () => {
  test.for([
    ['profile', 5 * MINUTE, (service: Service) => service.get(profile, alice)],
    ['car', 5 * MINUTE, (service: Service) => service.get(car, { vin: 'AB12C' })],
    ['overview', 30 * SECOND, (service: Service) => service.get(overview, {})],
    ['live', SECOND, (service: Service) => service.get(live, { server: 'one' })],
  ] as const)('of %s is fresh for its time, and asked anew after', async ([, ttl, ask]) => {
    const cache = build();
    await ask(cache.service);
    vi.setSystemTime(Date.now() + ttl - 1);
    expect(await ask(cache.service)).toMatchObject({ stale: null });
    expect(cache.below.length).toBe(1);
    vi.setSystemTime(Date.now() + 1);
    expect(await ask(cache.service)).toMatchObject({ stale: null });
    expect(cache.below.length).toBe(2);
  });

  test('keeps the time at which it was true', async () => {
    const cache = build();
    const asked = Date.now();
    await moneyOf(cache.service);
    vi.setSystemTime(asked + MINUTE);
    expect(await cache.service.get(profile, alice)).toMatchObject({ asOf: asked, stale: null });
  });

  test('may be wanted younger than it would need to be', async () => {
    const cache = build();
    await moneyOf(cache.service);
    vi.setSystemTime(Date.now() + 30 * SECOND);
    expect((await cache.service.get(profile, alice, { maxAge: 30 * SECOND + 1 })).record.money).toBe(1);
    expect((await cache.service.get(profile, alice, { maxAge: 30 * SECOND })).record.money).toBe(2);
    expect(cache.below.length).toBe(2);
  });

  test('costs *Refresh* at most one request in 30 seconds', async () => {
    const cache = build();
    const person = { id: '1', guildId: null, channelId: null, mayManage: false, locale: 'en-GB' };
    const asked = Date.now();
    for (const [passed, requests] of [
      [0, 1],
      [10, 1],
      [29, 1],
      [30, 2],
      [59, 2],
    ] as const) {
      vi.setSystemTime(asked + passed * SECOND);
      const context = {
        ...{ t: createTranslators()('en-GB'), person },
        now: Date.now(),
        sentAt: 0,
        refresh: true,
      };
      await contextFor(contextParts({ service: cache.service }), context).service.get(profile, alice);
      expect([passed, cache.below.length]).toEqual([passed, requests]);
    }
  });

  test('outlives the process', async () => {
    const cache = build();
    await moneyOf(cache.service);
    expect(await moneyOf(cache.restart())).toBe(1);
    expect(cache.below.length).toBe(1);
  });

  test('from the future, after a clock was set back, is asked again and is a fallback', async () => {
    const cache = build();
    await moneyOf(cache.service);
    vi.setSystemTime(Date.now() - HOUR);
    expect(await moneyOf(cache.service)).toBe(2);
  });

  test.for([
    ['is no JSON of ours', '{"value":"x"}'],
    ['is cut off', '{"value":{"answer":'],
    ['has another form', '{"value":{"answer":{"body":{},"asOf":"x"},"unknownAt":null}}'],
    [
      'holds a record of another form',
      `{"value":{"answer":{"body":{"name":"alice"},"asOf":1,"fetchedAt":${Date.UTC(2100, 0)}},"unknownAt":null}}`,
    ],
  ] as const)('is asked for when what is stored %s', async ([, stored]) => {
    const cache = build();
    await moneyOf(cache.service);
    for (const cacheKey of cache.store.keys()) cache.store.set(cacheKey, stored);
    expect(await moneyOf(cache.restart())).toBe(2);
  });
});

test('does not ask for a failed live file again as long as an answer would be kept', async () => {
  const cache = build();
  cache.mood = 'unavailable';
  const ask = () => cache.service.get(live, { server: 'one' });
  for (let asked = 0; asked < 30; asked += 1)
    await expect(ask()).rejects.toMatchObject({ fault: 'unavailable' });
  await expect(cache.service.get(live, { server: 'two' })).rejects.toThrow();
  expect(cache.below).toHaveLength(2);
  cache.mood = 'well';
  vi.setSystemTime(Date.now() + SECOND - 1);
  await expect(ask()).rejects.toThrow();
  vi.setSystemTime(Date.now() + 1);
  expect(await ask()).toMatchObject({ stale: null });
  // Nor does the failure outlive the answer.
  cache.mood = 'unavailable';
  vi.setSystemTime(Date.now() + SECOND);
  expect(await ask()).toMatchObject({ stale: 'unavailable' });
  expect(await ask()).toMatchObject({ stale: 'unavailable' });
  expect(cache.below).toHaveLength(4);
});

describe('past its time', () => {
  async function aged(): Promise<TriedCache> {
    const cache = build();
    await moneyOf(cache.service);
    vi.setSystemTime(Date.now() + 6 * MINUTE);
    cache.mood = null;
    return cache;
  }

  test('a person waits a moment for the fresh record', async () => {
    const cache = await aged();
    const asked = cache.service.get(profile, alice);
    await settle();
    await vi.advanceTimersByTimeAsync(1499);
    cache.below[1]?.answer(42);
    expect(await asked).toMatchObject({ record: { money: 42 }, stale: null });
  });

  test('a person gets the old one when that takes longer, and the next the new one', async () => {
    const cache = await aged();
    const asOf = Date.now() - 6 * MINUTE;
    const asked = cache.service.get(profile, alice);
    await settle();
    await vi.advanceTimersByTimeAsync(1500);
    expect(await asked).toMatchObject({ record: { money: 1 }, stale: 'slow', asOf });
    cache.below[1]?.answer(42);
    await settle();
    expect(await cache.service.get(profile, alice)).toMatchObject({ record: { money: 42 }, stale: null });
    expect(cache.below.length).toBe(2);
  });

  test('while nothing can be recorded, the old one is not the fault of a slow service', async () => {
    const cache = await aged();
    cache.isStoreAway = true;
    const asked = cache.service.get(profile, alice);
    await settle();
    await vi.advanceTimersByTimeAsync(1500);
    expect(await asked).toMatchObject({ record: { money: 1 }, stale: 'store-away' });
  });

  test('a bug in a refresh that nobody waits for any more is reported', async () => {
    const cache = await aged();
    const asked = cache.service.get(profile, alice);
    await settle();
    await vi.advanceTimersByTimeAsync(1500);
    expect(await asked).toMatchObject({ stale: 'slow' });
    const bug = new TypeError('x is not a function');
    cache.below[1]?.crash(bug);
    await settle();
    expect(cache.bugs).toEqual([bug]);
  });

  test('a refresh that fails behind the old record disturbs nobody', async () => {
    const cache = await aged();
    const asked = cache.service.get(profile, alice);
    await settle();
    await vi.advanceTimersByTimeAsync(1500);
    await asked;
    cache.below[1]?.fail('unavailable');
    await settle();
    expect(cache.bugs).toEqual([]);
    cache.mood = 'well';
    expect(await moneyOf(cache.service)).toBe(2);
  });

  test('a poller waits for the fresh one', async () => {
    const cache = await aged();
    const asked = cache.service.get(profile, alice, { priority: 'background' });
    await settle();
    await vi.advanceTimersByTimeAsync(HOUR);
    cache.below[1]?.answer(42);
    expect(await asked).toMatchObject({ record: { money: 42 }, stale: null });
  });

  test.for(['unavailable', 'over-budget', 'bad-response', 'unauthorised'] as const)(
    'the last good record stands in for %s, for a day and no longer',
    async (fault) => {
      const cache = await aged();
      cache.mood = fault;
      const asOf = Date.now() - 6 * MINUTE;
      for (const priority of ['interactive', 'background'] as const) {
        const answer = await cache.service.get(profile, alice, { priority });
        expect(answer).toMatchObject({ record: { money: 1 }, stale: fault, asOf });
      }
      vi.setSystemTime(asOf + 24 * HOUR - 1);
      expect(await cache.restart().get(profile, alice)).toMatchObject({ stale: fault, asOf });
      vi.setSystemTime(asOf + 24 * HOUR);
      await expect(cache.service.get(profile, alice)).rejects.toMatchObject({ fault });
    },
  );

  test('a bug below is thrown, and not passed off as a service that is down', async () => {
    const cache = await aged();
    const asked = cache.service.get(profile, alice);
    await settle();
    cache.below[1]?.crash(new TypeError('x is not a function'));
    await expect(asked).rejects.toThrow(TypeError);
  });

  test('throws a bug in reading a stored record, and does not call it unreadable', async () => {
    const cache = await aged();
    const call = cache.below[0]?.call;
    if (call === undefined) throw new Error('nothing was asked');
    const buggy = (): never => {
      throw new TypeError('x is not a function');
    };
    await expect(cache.start()({ ...call, trueAt: buggy })).rejects.toThrow(TypeError);
    expect(cache.below.length).toBe(1);
  });

  test('it is fresh again when the service is', async () => {
    const cache = await aged();
    cache.mood = 'unavailable';
    await moneyOf(cache.service);
    cache.mood = 'well';
    expect(await cache.service.get(profile, alice)).toMatchObject({ record: { money: 2 }, stale: null });
  });
});

describe('an unknown name', () => {
  test('is remembered for a minute, and asked for again after', async () => {
    const cache = build();
    cache.mood = 'not-found';
    await expect(moneyOf(cache.service)).rejects.toMatchObject({ fault: 'not-found', sent: 'maybe' });
    cache.mood = 'well';
    vi.setSystemTime(Date.now() + MINUTE - 1);
    await expect(moneyOf(cache.restart())).rejects.toMatchObject({ fault: 'not-found', sent: 'no' });
    expect(cache.below.length).toBe(1);
    vi.setSystemTime(Date.now() + 1);
    expect(await moneyOf(cache.service)).toBe(1);
  });

  test('wins over a record of better days, which serves again when the service fails', async () => {
    const cache = build();
    await moneyOf(cache.service);
    const asOf = Date.now();
    vi.setSystemTime(asOf + 6 * MINUTE);
    cache.mood = 'not-found';
    await expect(moneyOf(cache.service)).rejects.toMatchObject({ fault: 'not-found' });
    cache.mood = 'unavailable';
    await expect(moneyOf(cache.service)).rejects.toMatchObject({ fault: 'not-found' });
    vi.setSystemTime(asOf + 8 * MINUTE);
    expect(await cache.service.get(profile, alice)).toMatchObject({ stale: 'unavailable', asOf });
    vi.setSystemTime(asOf + 24 * HOUR);
    await expect(moneyOf(cache.service)).rejects.toMatchObject({ fault: 'unavailable' });
  });
});

describe('the store', () => {
  test('holds no key, and nothing of a live file', async () => {
    const cache = build();
    await cache.service.get(live, { server: 'one' });
    expect(cache.store.size).toBe(0);
    await moneyOf(cache.service);
    expect(JSON.stringify([...cache.store])).not.toContain(key);
    expect(cache.store.size).toBe(1);
  });

  test('of live files is memory: the last good one serves while the service is down', async () => {
    const cache = build();
    await cache.service.get(live, { server: 'one' });
    cache.mood = 'unavailable';
    vi.setSystemTime(Date.now() + MINUTE);
    expect(await cache.service.get(live, { server: 'one' })).toMatchObject({ stale: 'unavailable' });
    await expect(cache.restart().get(live, { server: 'one' })).rejects.toMatchObject({
      fault: 'unavailable',
    });
  });

  test('that fails is reported, and bypassed without asking twice for what is known', async () => {
    const failing = new Map<string, unknown>();
    const refuse = (): never => {
      throw new Error('disk I/O error');
    };
    failing.get = refuse;
    failing.set = refuse;
    const keyv = new Keyv({ store: failing, throwOnErrors: true });
    keyv.on('error', () => {});
    const cache = build(failing, keyv);
    expect(await moneyOf(cache.service)).toBe(1);
    expect(await moneyOf(cache.service)).toBe(1);
    expect(cache.below.length).toBe(1);
    // Once, not for every question.
    expect(cache.warnings).toEqual(['read', 'write']);
  });

  test('that fails costs a bounded amount of memory, however large the answers are', async () => {
    const failing = new Map<string, unknown>();
    failing.set = () => {
      throw new Error('disk full');
    };
    const keyv = new Keyv({ store: failing, throwOnErrors: true });
    keyv.on('error', () => {});
    const cache = build(failing, keyv);
    for (let n = 0; n < 500; n += 1) await moneyOf(cache.service, `driver ${n}`);
    // Small ones are all still there.
    await moneyOf(cache.service, 'driver 0');
    expect(cache.below.length).toBe(500);
    cache.filler = 'x'.repeat(200_000);
    for (let n = 500; n < 520; n += 1) await moneyOf(cache.service, `driver ${n}`);
    await moneyOf(cache.service, 'driver 519');
    expect(cache.below.length).toBe(520);
    // Pushed out by those that came after.
    await moneyOf(cache.service, 'driver 1');
    expect(cache.below.length).toBe(521);
  });

  test("is not asked if memory is fresh; if not, another process's newer answer counts", async () => {
    for (const shared of [false, true]) {
      const cache = build(new Map(), undefined, shared);
      await moneyOf(cache.service);
      const other = cache.restart();
      vi.setSystemTime(Date.now() + SECOND);
      await other.get(profile, alice, { maxAge: 0 });
      const reads = vi.spyOn(cache.store, 'get');
      expect(await moneyOf(cache.service)).toBe(1);
      expect(reads).not.toHaveBeenCalled();
      vi.setSystemTime(Date.now() + profile.ttl - 1);
      expect(await moneyOf(cache.service)).toBe(shared ? 2 : 3);
      expect(cache.below.length).toBe(shared ? 2 : 3);
    }
  });

  test('is not asked again for a name that was unknown a moment ago', async () => {
    const cache = build(new Map(), undefined, true);
    cache.mood = 'not-found';
    await expect(moneyOf(cache.service)).rejects.toMatchObject({ fault: 'not-found' });
    const reads = vi.spyOn(cache.store, 'get');
    await expect(moneyOf(cache.service)).rejects.toMatchObject({ fault: 'not-found' });
    expect(reads).not.toHaveBeenCalled();
    expect(cache.below.length).toBe(1);
  });

  test('that is read or served again is not parsed as a record again', async () => {
    for (const shared of [false, true]) {
      const cache = build(new Map(), undefined, shared);
      const first = await cache.service.get(profile, alice);
      expect((await cache.service.get(profile, alice)).record).toBe(first.record);
    }
  });

  test('may contain whole answers from before: they are read, and the rest does no harm', async () => {
    const cache = build();
    await moneyOf(cache.service);
    const before = {
      username: 'Alice',
      money: 7,
      requested: '/profile/get?key=x',
      cars: [{ vin: 'AB12C', junk: 1 }],
    };
    const entry = { answer: { body: before, asOf: 5, fetchedAt: Date.now() }, unknownAt: null };
    for (const key of cache.store.keys()) cache.store.set(key, JSON.stringify({ value: entry }));
    expect(await cache.restart().get(profile, alice)).toMatchObject({ asOf: 5, record: { money: 7 } });
    expect(cache.below.length).toBe(1);
  });

  test('with someone else’s record for a name counts as empty', async () => {
    const cache = build();
    await moneyOf(cache.service);
    const entry = { answer: { body: { username: 'bob' }, asOf: 5, fetchedAt: Date.now() }, unknownAt: null };
    for (const key of cache.store.keys()) cache.store.set(key, JSON.stringify({ value: entry }));
    expect((await cache.restart().get(profile, alice)).record.username).toBe('alice');
    expect(cache.below.length).toBe(2);
  });
});
