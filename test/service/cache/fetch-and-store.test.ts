/** How one process asks beside others, whose claims and answers are as the test says: on fake time. */
import { Keyv } from 'keyv';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Claims } from '../../../src/base/claims.ts';
import { systemClock as clock } from '../../../src/base/clock.ts';
import { ServiceError } from '../../../src/base/errors.ts';
import { createEntries } from '../../../src/service/cache/entries.ts';
import { createFetchAndStore } from '../../../src/service/cache/fetch-and-store.ts';
import type { Call, Fetched } from '../../../src/service/call.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const call: Call = {
  endpoint: 'profile',
  cacheKey: 'profile/alice',
  path: [],
  query: {},
  keyed: true,
  named: true,
  priority: 'interactive',
  maxAge: 60_000,
  usedPart: (body) => body,
  trueAt: () => null,
};

/** One process, whose claims do as the test says, and the store that it shares with another one. */
function build(more: Partial<Call> = {}, claim: Claims['claim'] = async () => true) {
  const { promise, resolve, reject } = Promise.withResolvers<Fetched>();
  const keyv = new Keyv({ throwOnErrors: true });
  const entriesOf = () => createEntries({ keyv, shared: true, clock });
  const house = {
    claim,
    release: async (): Promise<void> => {},
    claimed: 0,
    released: [] as string[],
    calls: [] as Call[],
    keyv,
    /** The other process. */
    other: entriesOf(),
    answer: (body: string) => resolve({ body, asOf: 0, stale: null, rate: null }),
    fail: reject,
  };
  const claims: Claims = {
    claim: (...asked) => {
      house.claimed += 1;
      return house.claim(...asked);
    },
    release: (key) => {
      house.released.push(key);
      return house.release();
    },
  };
  const layer = createFetchAndStore({ entries: entriesOf(), claims, clock })((asked) => {
    house.calls.push(asked);
    return promise;
  });
  const result = layer({ ...call, ...more });
  result.catch(() => {});
  return Object.assign(house, { result });
}

const away = async (): Promise<never> => {
  throw new Error('the store is away');
};
const theirs = async (): Promise<boolean> => false;

describe('a claim', () => {
  test('that cannot be made is done without, and none is given back', async () => {
    const house = build({}, away);
    house.answer('seven');
    expect(await house.result).toMatchObject({ body: 'seven' });
    expect(house.released).toEqual([]);
  });

  test('that cannot be given back costs no answer', async () => {
    const house = build();
    house.release = away;
    house.answer('seven');
    expect(await house.result).toMatchObject({ body: 'seven' });
    await vi.advanceTimersByTimeAsync(10);
    expect(house.released).toHaveLength(1);
  });

  test('is given back once the answer is in the store, which the caller does not wait for', async () => {
    const house = build();
    const { promise: written, resolve: write } = Promise.withResolvers<boolean>();
    vi.spyOn(house.keyv, 'set').mockReturnValue(written);
    house.answer('seven');
    expect(await house.result).toMatchObject({ body: 'seven' });
    await vi.advanceTimersByTimeAsync(10);
    expect(house.released).toEqual([]);
    write(true);
    await vi.advanceTimersByTimeAsync(10);
    expect(house.released).toEqual(['asking/interactive/profile/alice']);
  });

  test('is given back after a failure and after a bug', async () => {
    for (const error of [
      new ServiceError('unavailable', { endpoint: 'profile', sent: 'yes' }),
      new ServiceError('over-budget', { endpoint: 'profile', sent: 'no', share: 'burst' }),
      new TypeError('x is not a function'),
    ]) {
      const house = build();
      house.fail(error);
      await expect(house.result).rejects.toBe(error);
      await vi.advanceTimersByTimeAsync(10);
      expect(house.released).toHaveLength(1);
    }
  });

  test('that has ended by itself is not given back, since it may be another process’s by now', async () => {
    const house = build();
    await vi.advanceTimersByTimeAsync(5001);
    house.answer('seven');
    await house.result;
    await vi.advanceTimersByTimeAsync(10);
    expect(house.released).toEqual([]);
  });

  test('of a poller is held for as long as its turn may take, and of a person for five seconds', async () => {
    for (const [priority, held] of [
      ['interactive', 5000],
      ['background', 30_000],
    ] as const) {
      const first = build({ priority });
      await vi.advanceTimersByTimeAsync(held - 1);
      first.answer('seven');
      await first.result;
      await vi.advanceTimersByTimeAsync(10);
      expect(first.released).toHaveLength(1);
      const second = build({ priority }, theirs);
      await vi.advanceTimersByTimeAsync(held - 1);
      expect(second.calls).toEqual([]);
      await vi.advanceTimersByTimeAsync(200);
      expect(second.calls).toHaveLength(1);
    }
  });

  test('is not made of what needs no key', async () => {
    const house = build({ keyed: false });
    house.answer('seven');
    await house.result;
    expect(house.claimed).toBe(0);
  });
});

describe('a process that claims too late', () => {
  test('takes what the first one stores, and asks nothing', async () => {
    const house = build({}, theirs);
    await vi.advanceTimersByTimeAsync(1000);
    await house.other.set(call, { answer: { body: 'theirs', asOf: 5, fetchedAt: Date.now() } });
    await vi.advanceTimersByTimeAsync(200);
    expect(await house.result).toMatchObject({ body: 'theirs', asOf: 5, stale: null });
    expect(house.calls).toEqual([]);
  });

  test('is told that the name is unknown', async () => {
    const house = build({}, theirs);
    await vi.advanceTimersByTimeAsync(100);
    await house.other.set(call, { unknownAt: Date.now() });
    await vi.advanceTimersByTimeAsync(200);
    await expect(house.result).rejects.toMatchObject({ fault: 'not-found' });
    expect(house.calls).toEqual([]);
  });

  test('looks once more when it has the claim: the first one may have stored it between two looks', async () => {
    const house = build({}, theirs);
    await vi.advanceTimersByTimeAsync(10);
    await house.other.set(call, { answer: { body: 'theirs', asOf: 5, fetchedAt: Date.now() } });
    house.claim = async () => true;
    await vi.advanceTimersByTimeAsync(200);
    expect(await house.result).toMatchObject({ body: 'theirs' });
    expect(house.calls).toEqual([]);
    expect(house.released).toHaveLength(1);
  });

  test('asks for itself where the other one’s version has another form of answers', async () => {
    const trueAt = (body: unknown): null => {
      if (typeof body === 'string') return null;
      throw new ServiceError('bad-response', { endpoint: 'profile', sent: 'yes' });
    };
    const house = build({ trueAt }, theirs);
    await house.other.set(call, { answer: { body: { driver: 'alice' }, asOf: 5, fetchedAt: Date.now() } });
    house.claim = async () => true;
    await vi.advanceTimersByTimeAsync(200);
    house.answer('seven');
    expect(await house.result).toMatchObject({ body: 'seven' });
  });

  test('waits no longer than a claim lives, whoever makes the next one', async () => {
    const house = build({}, theirs);
    await vi.advanceTimersByTimeAsync(4900);
    expect(house.calls).toEqual([]);
    await vi.advanceTimersByTimeAsync(400);
    expect(house.calls).toHaveLength(1);
    house.answer('seven');
    expect(await house.result).toMatchObject({ body: 'seven' });
    expect(house.released).toEqual([]);
  });

  test('stops waiting when nobody wants the answer any more', async () => {
    const dropped = new AbortController();
    const house = build({ signal: dropped.signal }, theirs);
    await vi.advanceTimersByTimeAsync(1000);
    dropped.abort();
    await vi.advanceTimersByTimeAsync(200);
    await expect(house.result).rejects.toMatchObject({ fault: 'no-turn', sent: 'no' });
    expect(house.calls).toEqual([]);
  });
});
