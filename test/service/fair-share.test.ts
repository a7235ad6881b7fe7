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

interface TriedShare {
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
function build(limit = 720, newcomers = false): TriedShare {
  const share: TriedShare = {
    layer: createFairShare({
      clock: { now: () => 1e12 + share.at + share.step, monotonic: () => share.at },
      ledger: {
        async snapshot() {
          if (share.book === 'away') throw new Error('away');
          const interactive = share.passed.filter(({ at }) => at > share.at - HOUR).length;
          return { ...share.whole, spent: { ...share.whole.spent, interactive } };
        },
      },
      newcomers,
    })(async (call) => {
      share.passed.push({ call, at: share.at });
      return share.next(call);
    }),
    passed: [],
    at: 0,
    step: 0,
    whole: { limit, windowMs: HOUR, spent: { interactive: 0, background: 0 }, remaining: null },
    book: 'there',
    next: async () => answer,
  };
  return share;
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
async function refused(share: TriedShare, asker: Asker): Promise<ServiceError | null> {
  try {
    await share.layer(call(asker));
    return null;
  } catch (error) {
    if (error instanceof ServiceError && error.share !== null) return error;
    if (error instanceof ServiceError) return null;
    throw error;
  }
}

describe('a person', () => {
  test('has five look-ups in half a minute, and learns when the next is free', async () => {
    const share = build();
    for (share.at = 0; share.at < 5000; share.at += 1000) expect(await refused(share, ann)).toBeNull();
    expect(await refused(share, ann)).toMatchObject({
      fault: 'over-budget',
      share: 'burst',
      sent: 'no',
      retryAt: 1e12 + 30_000,
    });
    share.at = 29_999;
    expect(await refused(share, ann)).toMatchObject({ share: 'burst' });
    share.at = 30_000;
    expect(await refused(share, ann)).toBeNull();
    expect(await refused(share, ann)).toMatchObject({ retryAt: 1e12 + 31_000 });
  });

  test('who asks for ten at once gets five of them', async () => {
    const share = build();
    const answers = await Promise.all(Array.from({ length: 10 }, () => refused(share, ann)));
    expect(answers.filter((one) => one === null)).toHaveLength(5);
  });

  test('takes nothing from another', async () => {
    const share = build();
    for (let n = 0; n < 9; n += 1) await refused(share, ann);
    expect(await refused(share, ben)).toBeNull();
  });

  test('is not charged for what was never sent', async () => {
    const share = build();
    share.next = async ({ endpoint }) => {
      throw new ServiceError('over-budget', { endpoint, sent: 'no' });
    };
    for (let n = 0; n < 20; n += 1) expect(await refused(share, ann)).toBeNull();
  });

  test.each(['not-found', 'unavailable', 'bad-response'] as Fault[])(
    'is charged for what was sent and ended as %s',
    async (fault) => {
      const share = build();
      share.next = async ({ endpoint }) => {
        throw new ServiceError(fault, { endpoint, sent: 'maybe' });
      };
      for (let n = 0; n < 5; n += 1) expect(await refused(share, ann)).toBeNull();
      expect(await refused(share, ann)).toMatchObject({ share: 'burst' });
    },
  );

  test('is shut out no longer by a step of the wall clock', async () => {
    const share = build();
    for (let n = 0; n < 6; n += 1) await refused(share, ann);
    share.step = -HOUR;
    expect(await refused(share, ann)).toMatchObject({ retryAt: 1e12 + 30_000 - HOUR });
    share.at = 30_000;
    expect(await refused(share, ann)).toBeNull();
  });

  test('takes at most a tenth of the budget in any window, however they flood', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 20, max: 300 }),
        fc.array(fc.integer({ min: 0, max: 60_000 }), { minLength: 100, maxLength: 300 }),
        async (limit, pauses) => {
          const share = build(limit);
          for (const pause of pauses) {
            share.at += pause;
            await refused(share, ann);
          }
          for (const { at } of share.passed) {
            const within = share.passed.filter((other) => other.at >= at && other.at < at + HOUR);
            expect(within.length).toBeLessThanOrEqual(limit / 10);
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  test('who has used a tenth learns when the first of it is free again', async () => {
    const share = build(50);
    for (let n = 0; n < 5; n += 1, share.at += 60_000) expect(await refused(share, ann)).toBeNull();
    const refusal = await refused(share, ann);
    expect(refusal).toMatchObject({ share: 'person' });
    share.at = (refusal?.retryAt ?? 0) - 1e12 - 1;
    expect(await refused(share, ann)).toMatchObject({ share: 'person' });
    share.at += 1;
    expect(await refused(share, ann)).toBeNull();
  });

  test('pays twice for what failed and was sent again', async () => {
    const share = build(40);
    share.next = async ({ endpoint }) => {
      throw new ServiceError('unavailable', { endpoint, sent: 'yes', transient: true });
    };
    expect(await refused(share, ann)).toBeNull();
    expect(await refused(share, ann)).toBeNull();
    expect(await refused(share, ann)).toMatchObject({ share: 'person' });
  });

  test('has one look-up even of the smallest budget', async () => {
    const share = build(3);
    expect(await refused(share, ann)).toBeNull();
    expect(await refused(share, ann)).toMatchObject({ share: 'person' });
  });
});

describe('guilds', () => {
  /** As many people of one guild as it takes, each within their own share. */
  async function crowd(share: TriedShare, guildId: string, lookups: number): Promise<number> {
    const before = share.passed.length;
    for (let n = 0; n < lookups; n += 1) await refused(share, { personId: `${guildId} ${n}`, guildId });
    return share.passed.length - before;
  }

  test('alone with the bot, a person has the whole budget', async () => {
    const share = build(100);
    expect(await crowd(share, 'one', 100)).toBe(100);
  });

  test('share evenly once the budget is short: the greedy one waits, the other is served', async () => {
    const share = build(100);
    await crowd(share, 'two', 1);
    expect(await crowd(share, 'one', 200)).toBe(75);
    expect(await refused(share, ann)).toMatchObject({ share: 'guild' });
    expect(await crowd(share, 'two', 24)).toBe(24);
  });

  test('have as much as they like while there is plenty', async () => {
    const share = build(1000);
    await crowd(share, 'two', 1);
    expect(await crowd(share, 'one', 700)).toBe(700);
  });

  test('are each within an even share an hour later, though the greedy one never stops', async () => {
    const share = build(120);
    const served: Record<string, number> = { one: 0, two: 0, three: 0 };
    for (; share.at < 4 * HOUR; share.at += 10_000) {
      const count = async (guildId: string, every: number): Promise<void> => {
        if (share.at % every !== 0) return;
        // What the budget itself would do.
        if (share.passed.filter(({ at }) => at > share.at - HOUR).length >= 120) return;
        const before = share.passed.length;
        await refused(share, { personId: `${guildId} ${share.at % HOUR}`, guildId });
        if (share.at > 2 * HOUR) served[guildId] = (served[guildId] ?? 0) + share.passed.length - before;
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
    const share = build(100);
    share.whole = { ...share.whole, remaining: 10 };
    await crowd(share, 'two', 1);
    expect(await crowd(share, 'one', 30)).toBeLessThan(20);
  });
});

describe('a guild that has not asked yet', () => {
  const other: Asker = { personId: 'zoe', guildId: 'late' };

  /** `guilds` of fifteen patient accounts each, which together ask as often as they may for an hour. */
  async function patient(share: TriedShare, guilds: number): Promise<void> {
    for (; share.at < HOUR - 60_000; share.at += 7000) {
      for (let n = 0; n < guilds * 15; n += 1)
        await refused(share, { personId: `${n}`, guildId: `guild ${n % guilds}` });
    }
  }

  test.each([1, 11])(
    'has its part of the key after accounts of %d others have asked for all they get',
    async (guilds) => {
      const share = build(720, true);
      await patient(share, guilds);
      expect(share.passed.length).toBeLessThanOrEqual(660);
      expect(share.passed.length).toBeGreaterThan(640);
      for (let n = 0; n < 10; n += 1, share.at += 6000) expect(await refused(share, other)).toBeNull();
    },
  );

  test('has it, too, where the others come all at once', async () => {
    const share = build(720, true);
    const gate = Promise.withResolvers<void>();
    share.next = async () => {
      await gate.promise;
      return answer;
    };
    // The permits of those that wait are not entered yet.
    share.whole = { ...share.whole, limit: 720 };
    const asked = Array.from({ length: 750 }, (_, n) =>
      refused(share, { personId: `${n % 150}`, guildId: 'one' }),
    );
    gate.resolve();
    await Promise.all(asked);
    expect(share.passed.length).toBeLessThanOrEqual(660);
    expect(await refused(share, other)).toBeNull();
  });

  test('is none where the bot serves a single one: that has all', async () => {
    const share = build(720);
    await patient(share, 1);
    expect(share.passed.length).toBeGreaterThanOrEqual(720);
  });
});

describe('nobody else is counted', () => {
  test.each([
    ['pollers', call(ann, { priority: 'background' })],
    ['the bot itself', call(null)],
    ['keyless files', call(ann, { keyed: false })],
  ])('%s', async (_who, asked) => {
    const share = build(10);
    for (let n = 0; n < 50; n += 1) await share.layer(asked);
    expect(share.passed).toHaveLength(50);
  });
});

test('while the book of the budget is away, the burst still ends after five', async () => {
  const share = build();
  share.book = 'away';
  for (let n = 0; n < 5; n += 1) expect(await refused(share, ann)).toBeNull();
  expect(await refused(share, ann)).toMatchObject({ share: 'burst' });
});

describe('below the cache', () => {
  function buildWithCache() {
    const share = build();
    share.next = async ({ endpoint, query }) => ({
      ...answer,
      body: endpoint === 'car' ? { vin: 'AB12C' } : { username: query['username'] },
      asOf: 1e12,
    });
    const cached = createCache({
      shared: false,
      keyv: new Keyv({ throwOnErrors: true }),
      clock: { ...systemClock, now: () => 1e12 + share.at },
    });
    const service = createClient({
      layer: cached(share.layer),
      places,
    });
    const ask = (asker: Asker, username: string) => service.get(profile, { username }, { asker });
    return { share, service, ask };
  }

  test('what is cached costs nothing', async () => {
    const { share, ask } = buildWithCache();
    for (let n = 0; n < 20; n += 1) await ask(ann, 'alice');
    for (const name of ['b', 'c', 'd', 'e']) await ask(ann, name);
    await expect(ask(ann, 'f')).rejects.toMatchObject({ share: 'burst' });
    await ask(ann, 'alice');
    expect(share.passed).toHaveLength(5);
  });

  test('a question that several share is charged to the one who caused it', async () => {
    const { share, ask } = buildWithCache();
    for (const name of ['a', 'b', 'c', 'd', 'e']) await Promise.all([ask(ann, name), ask(ben, name)]);
    await expect(ask(ann, 'f')).rejects.toMatchObject({ share: 'burst' });
    await ask(ben, 'f');
    expect(share.passed).toHaveLength(6);
  });

  test("a refusal for one's own share does not reach others who asked the same", async () => {
    const { ask } = buildWithCache();
    for (const name of ['a', 'b', 'c', 'd', 'e']) await ask(ann, name);
    const asked = await Promise.allSettled([ask(ann, 'f'), ask(ben, 'f'), ask(ann, 'F'), ask(ben, 'F')]);
    // Ann's second question joins what Ben caused, which costs her nothing.
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
  });

  test('who is refused for hurrying what a poller asks does not end that question', async () => {
    const { share, service, ask } = buildWithCache();
    for (const name of ['a', 'b', 'c', 'd', 'e']) await ask(ann, name);
    const gate = Promise.withResolvers<void>();
    const reply = share.next;
    share.next = async (asked) => {
      if (asked.priority === 'background') await gate.promise;
      return reply(asked);
    };
    const polled = service.get(car, { vin: 'AB12C' }, { priority: 'background' });
    await expect.poll(() => share.passed.length).toBe(6);
    await expect(service.get(car, { vin: 'AB12C' }, { asker: ann })).rejects.toMatchObject({
      share: 'burst',
    });
    const hurried = await service.get(car, { vin: 'AB12C' }, { asker: ben });
    expect(hurried.record.vin).toBe('AB12C');
    gate.resolve();
    expect((await polled).record.vin).toBe('AB12C');
  });

  test('who has an older record gets that, with the reason', async () => {
    const { share, ask } = buildWithCache();
    await ask(ann, 'alice');
    share.at = 10 * 60_000;
    for (const name of ['b', 'c', 'd', 'e', 'f']) await ask(ann, name);
    expect(await ask(ann, 'alice')).toMatchObject({ stale: 'share', record: { username: 'alice' } });
  });
});
