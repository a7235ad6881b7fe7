/** What a lock across processes does when its store does not do what it is asked: on fake time, over a lock in memory. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock as clock } from '../../../src/base/clock.ts';
import { ServiceError } from '../../../src/base/errors.ts';
import type { Call, Fetched } from '../../../src/service/call.ts';
import {
  createCrossProcess,
  type FlightLock,
  type Outcome,
} from '../../../src/service/deduplicate/cross-process.ts';

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
  priority: 'background',
  maxAge: 0,
  usedPart: (body) => body,
  trueAt: () => null,
};
const answer = (body: string): Fetched => ({ body, asOf: 0, stale: null, rate: null });

/** One process with a lock that does as the test says, over a budget that drops what nobody wants unless it was sent. */
function build(more: Partial<Call> = {}, claim: FlightLock['claim'] = async () => ({ state: 'ours' })) {
  const { promise, resolve, reject } = Promise.withResolvers<Fetched>();
  const house = {
    claim,
    renew: async (): Promise<boolean> => true,
    release: async (): Promise<void> => {},
    renewals: 0,
    released: [] as (Outcome | null)[],
    calls: [] as Call[],
    isSent: false,
    answer: (body: string) => resolve(answer(body)),
    fail: reject,
  };
  const lock: FlightLock = {
    claim: (...asked) => house.claim(...asked),
    renew: () => {
      house.renewals += 1;
      return house.renew();
    },
    release: (_holder, outcome) => {
      house.released.push(outcome);
      return house.release();
    },
  };
  const layer = createCrossProcess({ lock, clock })((asked) => {
    house.calls.push(asked);
    asked.signal?.addEventListener('abort', () => {
      if (!house.isSent) reject(new ServiceError('no-turn', { endpoint: 'profile', sent: 'no' }));
    });
    return promise;
  });
  const result = layer({ ...call, ...more });
  result.catch(() => {});
  return Object.assign(house, { result });
}

const away = async (): Promise<never> => {
  throw new Error('the store is away');
};
const isDropped = ({ calls }: { readonly calls: readonly Call[] }) => calls[0]?.signal?.aborted;

describe('a renewal', () => {
  test('that fails takes the question from nobody, and is tried again', async () => {
    const house = build();
    await vi.advanceTimersByTimeAsync(600);
    house.renew = away;
    const before = house.renewals;
    await vi.advanceTimersByTimeAsync(1500);
    expect(house.renewals).toBe(before + 3);
    expect(isDropped(house)).toBe(false);
    house.answer('seven');
    expect(await house.result).toMatchObject({ body: 'seven' });
    expect(house.calls).toHaveLength(1);
  });

  test('that finds the lock taken drops what waits for its turn, and the answer of the other serves', async () => {
    const house = build();
    house.renew = async () => false;
    house.claim = async () => ({ state: 'over', outcome: { answer: { body: 'theirs', asOf: 5 } } });
    await vi.advanceTimersByTimeAsync(500);
    expect(isDropped(house)).toBe(true);
    await vi.advanceTimersByTimeAsync(200);
    expect(await house.result).toMatchObject({ body: 'theirs', asOf: 5 });
    expect(house.calls).toHaveLength(1);
  });

  test('that finds the lock taken costs no answer that is on its way', async () => {
    const house = build();
    house.isSent = true;
    house.renew = async () => false;
    await vi.advanceTimersByTimeAsync(1000);
    house.answer('seven');
    expect(await house.result).toMatchObject({ body: 'seven' });
  });

  test('comes several times within the life of a lock, and not after the answer', async () => {
    const house = build();
    await vi.advanceTimersByTimeAsync(2000);
    expect(house.renewals).toBeGreaterThanOrEqual(3);
    house.answer('seven');
    await house.result;
    const before = house.renewals;
    await vi.advanceTimersByTimeAsync(5000);
    expect(house.renewals).toBe(before);
  });

  test('that is still under way when the answer comes is the last', async () => {
    const house = build();
    const { promise, resolve } = Promise.withResolvers<boolean>();
    house.renew = () => promise;
    await vi.advanceTimersByTimeAsync(500);
    house.answer('seven');
    await house.result;
    resolve(true);
    await vi.advanceTimersByTimeAsync(5000);
    expect(house.renewals).toBe(1);
  });
});

describe('a lock', () => {
  test('that cannot be taken is done without', async () => {
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
  });

  test('is given back with the answer, or with the failure that concerns all', async () => {
    const failed = build();
    failed.fail(new ServiceError('unavailable', { endpoint: 'profile', sent: 'yes', retryAt: 9 }));
    await expect(failed.result).rejects.toMatchObject({ fault: 'unavailable' });
    expect(failed.released).toEqual([{ failure: { fault: 'unavailable', refusal: null, retryAt: 9 } }]);
    const answered = build();
    answered.answer('seven');
    await answered.result;
    expect(answered.released).toEqual([{ answer: { body: 'seven', asOf: 0 } }]);
  });

  test('is released without an outcome after a refused share or a bug', async () => {
    for (const error of [
      new ServiceError('over-budget', { endpoint: 'profile', sent: 'no', share: 'burst' }),
      new TypeError('x is not a function'),
    ]) {
      const house = build();
      house.fail(error);
      await expect(house.result).rejects.toBe(error);
      expect(house.released).toEqual([null]);
    }
  });

  test('is not waited for any longer by a call that nobody wants', async () => {
    const dropped = new AbortController();
    const house = build({ signal: dropped.signal }, async () => ({ state: 'theirs', holder: 'x' }));
    await vi.advanceTimersByTimeAsync(1000);
    dropped.abort();
    await vi.advanceTimersByTimeAsync(200);
    await expect(house.result).rejects.toMatchObject({ fault: 'no-turn', sent: 'no' });
    expect(house.calls).toEqual([]);
  });

  test('is not asked for what needs no key', async () => {
    const house = build({ keyed: false });
    house.answer('seven');
    await house.result;
    expect(house.released).toEqual([]);
  });
});
