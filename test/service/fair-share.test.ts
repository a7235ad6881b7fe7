import fc from 'fast-check';
import Keyv from 'keyv';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { type Fault, ServiceError } from '../../src/base/errors.ts';
import { createCache } from '../../src/service/cache/cache.ts';
import type { Asker, Call, Fetched, Layer } from '../../src/service/call.ts';
import { createClient } from '../../src/service/client.ts';
import { car, profile } from '../../src/service/endpoints.ts';
import { createFairShare } from '../../src/service/fair-share/fair-share.ts';
import { places } from './loopback.ts';

const HOUR = 3_600_000;
const ann: Asker = { personId: 'ann', guildId: 'one' };
const ben: Asker = { personId: 'ben', guildId: 'one' };
const answer: Fetched = { body: { username: 'x' }, asOf: 0, stale: null, rate: null };

interface Rig {
  readonly layer: Layer;
  /** Calls that passed, with the time at which they did. */
  readonly passed: { readonly call: Call; readonly at: number }[];
  /** Milliseconds since the start. */
  at: number;
  /** A step of the wall clock. */
  step: number;
  whole: Awaited<ReturnType<Parameters<typeof createFairShare>[0]['ledger']['snapshot']>>;
  /** Null: the book is away. */
  book: 'there' | 'away';
  next: (call: Call) => Promise<Fetched>;
}

/** The shares over a key of that size, whose budget counts every call that passes for an hour. */
function build(limit = 720, newcomers = false): Rig {
  const rig: Rig = {
    layer: createFairShare({
      clock: { now: () => 1e12 + rig.at + rig.step, monotonic: () => rig.at },
      ledger: {
        async snapshot() {
          if (rig.book === 'away') throw new Error('away');
          const interactive = rig.passed.filter(({ at }) => at > rig.at - HOUR).length;
          return { ...rig.whole, spent: { ...rig.whole.spent, interactive } };
        },
      },
      newcomers,
    })(async (call) => {
      rig.passed.push({ call, at: rig.at });
      return rig.next(call);
    }),
    passed: [],
    at: 0,
    step: 0,
    whole: { limit, windowMs: HOUR, spent: { interactive: 0, background: 0 }, remaining: null },
    book: 'there',
    next: async () => answer,
  };
  return rig;
}

let number = 0;
function call(asker: Asker | null, changes: Partial<Call> = {}): Call {
  number += 1;
  return {
    endpoint: 'profile',
    cacheKey: `profile/${number}`,
    path: [],
    query: {},
    keyed: true,
    asksByName: true,
    priority: 'interactive',
    maxAge: 1000,
    pickUsedPart: (body) => body,
    trueAt: () => null,
    ...(asker === null ? {} : { asker }),
    ...changes,
  };
}

/** The refusal, or null where the call passed or failed otherwise. */
async function refused(rig: Rig, asker: Asker): Promise<ServiceError | null> {
  try {
    await rig.layer(call(asker));
    return null;
  } catch (error) {
    if (error instanceof ServiceError && error.share !== null) return error;
    if (error instanceof ServiceError) return null;
    throw error;
  }
}

describe('a person', () => {
  test('has five look-ups in half a minute, and learns when the next is free', async () => {
    const rig = build();
    for (rig.at = 0; rig.at < 5000; rig.at += 1000) expect(await refused(rig, ann)).toBeNull();
    expect(await refused(rig, ann)).toMatchObject({
      fault: 'over-budget',
      share: 'burst',
      sent: 'no',
      retryAt: 1e12 + 30_000,
    });
    rig.at = 29_999;
    expect(await refused(rig, ann)).toMatchObject({ share: 'burst' });
    rig.at = 30_000;
    expect(await refused(rig, ann)).toBeNull();
    expect(await refused(rig, ann)).toMatchObject({ retryAt: 1e12 + 31_000 });
  });

  test('who asks for ten at once gets five of them', async () => {
    const rig = build();
    const answers = await Promise.all(Array.from({ length: 10 }, () => refused(rig, ann)));
    expect(answers.filter((one) => one === null)).toHaveLength(5);
  });

  test('takes nothing from another', async () => {
    const rig = build();
    for (let n = 0; n < 9; n += 1) await refused(rig, ann);
    expect(await refused(rig, ben)).toBeNull();
  });

  test('is not charged for what was never sent', async () => {
    const rig = build();
    rig.next = async ({ endpoint }) => {
      throw new ServiceError('over-budget', { endpoint, sent: 'no' });
    };
    for (let n = 0; n < 20; n += 1) expect(await refused(rig, ann)).toBeNull();
  });

  test.each(['not-found', 'unavailable', 'bad-response'] as Fault[])(
    'is charged for what was sent and ended as %s',
    async (fault) => {
      const rig = build();
      rig.next = async ({ endpoint }) => {
        throw new ServiceError(fault, { endpoint, sent: 'maybe' });
      };
      for (let n = 0; n < 5; n += 1) expect(await refused(rig, ann)).toBeNull();
      expect(await refused(rig, ann)).toMatchObject({ share: 'burst' });
    },
  );

  test('is shut out no longer by a step of the wall clock', async () => {
    const rig = build();
    for (let n = 0; n < 6; n += 1) await refused(rig, ann);
    rig.step = -HOUR;
    expect(await refused(rig, ann)).toMatchObject({ retryAt: 1e12 + 30_000 - HOUR });
    rig.at = 30_000;
    expect(await refused(rig, ann)).toBeNull();
  });

  test('takes at most a tenth of the budget in any window, however they flood', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 20, max: 300 }),
        fc.array(fc.integer({ min: 0, max: 60_000 }), { minLength: 100, maxLength: 300 }),
        async (limit, pauses) => {
          const rig = build(limit);
          for (const pause of pauses) {
            rig.at += pause;
            await refused(rig, ann);
          }
          for (const { at } of rig.passed) {
            const within = rig.passed.filter((other) => other.at >= at && other.at < at + HOUR);
            expect(within.length).toBeLessThanOrEqual(limit / 10);
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  test('who has used a tenth learns when the first of it is free again', async () => {
    const rig = build(50);
    for (let n = 0; n < 5; n += 1, rig.at += 60_000) expect(await refused(rig, ann)).toBeNull();
    const refusal = await refused(rig, ann);
    expect(refusal).toMatchObject({ share: 'person' });
    rig.at = (refusal?.retryAt ?? 0) - 1e12 - 1;
    expect(await refused(rig, ann)).toMatchObject({ share: 'person' });
    rig.at += 1;
    expect(await refused(rig, ann)).toBeNull();
  });

  test('pays twice for what failed and was sent again', async () => {
    const rig = build(40);
    rig.next = async ({ endpoint }) => {
      throw new ServiceError('unavailable', { endpoint, sent: 'yes', transient: true });
    };
    expect(await refused(rig, ann)).toBeNull();
    expect(await refused(rig, ann)).toBeNull();
    expect(await refused(rig, ann)).toMatchObject({ share: 'person' });
  });

  test('has one look-up even of the smallest budget', async () => {
    const rig = build(3);
    expect(await refused(rig, ann)).toBeNull();
    expect(await refused(rig, ann)).toMatchObject({ share: 'person' });
  });
});

describe('guilds', () => {
  /** As many people of one guild as it takes, each within their own share. */
  async function crowd(rig: Rig, guildId: string, lookups: number): Promise<number> {
    const before = rig.passed.length;
    for (let n = 0; n < lookups; n += 1) await refused(rig, { personId: `${guildId} ${n}`, guildId });
    return rig.passed.length - before;
  }

  test('alone with the bot, a person has the whole budget', async () => {
    const rig = build(100);
    expect(await crowd(rig, 'one', 100)).toBe(100);
  });

  test('share evenly once the budget is short: the greedy one waits, the other is served', async () => {
    const rig = build(100);
    await crowd(rig, 'two', 1);
    expect(await crowd(rig, 'one', 200)).toBe(75);
    expect(await refused(rig, ann)).toMatchObject({ share: 'guild' });
    expect(await crowd(rig, 'two', 24)).toBe(24);
  });

  test('have as much as they like while there is plenty', async () => {
    const rig = build(1000);
    await crowd(rig, 'two', 1);
    expect(await crowd(rig, 'one', 700)).toBe(700);
  });

  test('are each within an even share an hour later, though the greedy one never stops', async () => {
    const rig = build(120);
    const served: Record<string, number> = { one: 0, two: 0, three: 0 };
    for (; rig.at < 4 * HOUR; rig.at += 10_000) {
      const count = async (guildId: string, every: number): Promise<void> => {
        if (rig.at % every !== 0) return;
        // What the budget itself would do.
        if (rig.passed.filter(({ at }) => at > rig.at - HOUR).length >= 120) return;
        const before = rig.passed.length;
        await refused(rig, { personId: `${guildId} ${rig.at % HOUR}`, guildId });
        if (rig.at > 2 * HOUR) served[guildId] = (served[guildId] ?? 0) + rig.passed.length - before;
      };
      await count('one', 10_000);
      await count('two', 60_000);
      await count('three', 60_000);
    }
    // Two hours, of which each may have a third: 80.
    expect(served['two']).toBeGreaterThanOrEqual(70);
    expect(served['three']).toBeGreaterThanOrEqual(70);
  });

  test('count what others spend of the key as gone, not as theirs to share', async () => {
    const rig = build(100);
    rig.whole = { ...rig.whole, remaining: 10 };
    await crowd(rig, 'two', 1);
    expect(await crowd(rig, 'one', 30)).toBeLessThan(20);
  });
});

describe('a guild that has not asked yet', () => {
  const other: Asker = { personId: 'zoe', guildId: 'late' };

  /** `guilds` of fifteen patient accounts each, which together ask as often as they may for an hour. */
  async function patient(rig: Rig, guilds: number): Promise<void> {
    for (; rig.at < HOUR - 60_000; rig.at += 7000) {
      for (let n = 0; n < guilds * 15; n += 1)
        await refused(rig, { personId: `${n}`, guildId: `guild ${n % guilds}` });
    }
  }

  test.each([1, 11])(
    'has its part of the key after accounts of %d others have asked for all they get',
    async (guilds) => {
      const rig = build(720, true);
      await patient(rig, guilds);
      expect(rig.passed.length).toBeLessThanOrEqual(660);
      expect(rig.passed.length).toBeGreaterThan(640);
      for (let n = 0; n < 10; n += 1, rig.at += 6000) expect(await refused(rig, other)).toBeNull();
    },
  );

  test('has it, too, where the others come all at once', async () => {
    const rig = build(720, true);
    const gate = Promise.withResolvers<void>();
    rig.next = async () => {
      await gate.promise;
      return answer;
    };
    // The permits of those that wait are not entered yet.
    rig.whole = { ...rig.whole, limit: 720 };
    const asked = Array.from({ length: 750 }, (_, n) =>
      refused(rig, { personId: `${n % 150}`, guildId: 'one' }),
    );
    gate.resolve();
    await Promise.all(asked);
    expect(rig.passed.length).toBeLessThanOrEqual(660);
    expect(await refused(rig, other)).toBeNull();
  });

  test('is none where the bot serves a single one: that has all', async () => {
    const rig = build(720);
    await patient(rig, 1);
    expect(rig.passed.length).toBeGreaterThanOrEqual(720);
  });
});

describe('nobody else is counted', () => {
  test.each([
    ['pollers', call(ann, { priority: 'background' })],
    ['the bot itself', call(null)],
    ['keyless files', call(ann, { keyed: false })],
  ])('%s', async (_who, asked) => {
    const rig = build(10);
    for (let n = 0; n < 50; n += 1) await rig.layer(asked);
    expect(rig.passed).toHaveLength(50);
  });
});

test('while the book of the budget is away, the burst still ends after five', async () => {
  const rig = build();
  rig.book = 'away';
  for (let n = 0; n < 5; n += 1) expect(await refused(rig, ann)).toBeNull();
  expect(await refused(rig, ann)).toMatchObject({ share: 'burst' });
});

describe('below the cache', () => {
  function buildWithCache() {
    const rig = build();
    rig.next = async ({ endpoint, query }) => ({
      ...answer,
      body: endpoint === 'car' ? { vin: 'AB12C' } : { username: query['username'] },
      asOf: 1e12,
    });
    const cached = createCache({
      shared: false,
      keyv: new Keyv({ throwOnErrors: true }),
      clock: { ...systemClock, now: () => 1e12 + rig.at },
    });
    const service = createClient({
      layer: cached(rig.layer),
      places,
    });
    const ask = (asker: Asker, username: string) => service.get(profile, { username }, { asker });
    return { rig, service, ask };
  }

  test('what is cached costs nothing', async () => {
    const { rig, ask } = buildWithCache();
    for (let n = 0; n < 20; n += 1) await ask(ann, 'alice');
    for (const name of ['b', 'c', 'd', 'e']) await ask(ann, name);
    await expect(ask(ann, 'f')).rejects.toMatchObject({ share: 'burst' });
    await ask(ann, 'alice');
    expect(rig.passed).toHaveLength(5);
  });

  test('a question that several share is charged to the one who caused it', async () => {
    const { rig, ask } = buildWithCache();
    for (const name of ['a', 'b', 'c', 'd', 'e']) await Promise.all([ask(ann, name), ask(ben, name)]);
    await expect(ask(ann, 'f')).rejects.toMatchObject({ share: 'burst' });
    await ask(ben, 'f');
    expect(rig.passed).toHaveLength(6);
  });

  test("a refusal for one's own share does not reach others who asked the same", async () => {
    const { ask } = buildWithCache();
    for (const name of ['a', 'b', 'c', 'd', 'e']) await ask(ann, name);
    const asked = await Promise.allSettled([ask(ann, 'f'), ask(ben, 'f'), ask(ann, 'F'), ask(ben, 'F')]);
    // Ann's second question joins what Ben caused, which costs her nothing.
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
  });

  test('who is refused for hurrying what a poller asks does not end that question', async () => {
    const { rig, service, ask } = buildWithCache();
    for (const name of ['a', 'b', 'c', 'd', 'e']) await ask(ann, name);
    const gate = Promise.withResolvers<void>();
    const reply = rig.next;
    rig.next = async (asked) => {
      if (asked.priority === 'background') await gate.promise;
      return reply(asked);
    };
    const polled = service.get(car, { vin: 'AB12C' }, { priority: 'background' });
    await expect.poll(() => rig.passed.length).toBe(6);
    await expect(service.get(car, { vin: 'AB12C' }, { asker: ann })).rejects.toMatchObject({
      share: 'burst',
    });
    const hurried = await service.get(car, { vin: 'AB12C' }, { asker: ben });
    expect(hurried.record.vin).toBe('AB12C');
    gate.resolve();
    expect((await polled).record.vin).toBe('AB12C');
  });

  test('who has an older record gets that, with the reason', async () => {
    const { rig, ask } = buildWithCache();
    await ask(ann, 'alice');
    rig.at = 10 * 60_000;
    for (const name of ['b', 'c', 'd', 'e', 'f']) await ask(ann, name);
    expect(await ask(ann, 'alice')).toMatchObject({ stale: 'share', record: { username: 'alice' } });
  });
});
