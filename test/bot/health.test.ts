import { describe, expect, test } from 'vitest';
import { type Fault, ServiceError } from '../../src/base/errors.ts';
import { createHealth } from '../../src/bot/health.ts';
import type { Call, Fetched, Layer } from '../../src/service/call.ts';
import { createCallStatistics } from '../../src/service/call-statistics.ts';
import { endpoints } from '../../src/service/endpoints.ts';
import { listedBoard, quietBudget } from '../support/about-bot.ts';

const NOON = 1_795_176_000_000;

function build() {
  const clock = { at: NOON, now: () => clock.at };
  const state: { budget: 'there' | 'away'; mood: 'well' | Fault; asOf: number } = {
    budget: 'there',
    mood: 'well',
    asOf: NOON,
  };
  const calls = createCallStatistics(clock);
  const ledger = {
    async snapshot() {
      if (state.budget === 'away') throw new Error('away');
      return quietBudget;
    },
  };
  const health = createHealth(
    {
      dataService: { calls, ledger },
      connection: { latency: () => 42, clockSkew: () => null },
      storeHealth: () => ({ writes: 'the disk is full', history: null }),
      boards: { list: async (guildId) => [listedBoard(`of ${guildId}`)] },
    },
    { clock, version: '1.2.3' },
  );
  const layer: Layer = calls.fetched(async ({ endpoint }): Promise<Fetched> => {
    if (state.mood !== 'well') throw new ServiceError(state.mood, { endpoint, sent: 'yes' });
    return { body: {}, asOf: state.asOf, stale: null, rate: null };
  });
  return { clock, state, health, calls, layer };
}

function call(endpoint: string, changes: Partial<Call> = {}): Call {
  return {
    endpoint,
    cacheKey: endpoint,
    path: [],
    query: {},
    keyed: true,
    asksByName: true,
    priority: 'interactive',
    maxAge: 0,
    pickUsedPart: (body) => body,
    trueAt: () => null,
    ...changes,
  };
}

describe('a source', () => {
  test('is reported before the first request', async () => {
    const { health } = build();
    const { sources } = await health.diagnose(null);
    const files = ['one', 'two', 'three', 'four'].map((server) => `live/${server}`);
    const others = Object.keys(endpoints).filter((name) => name !== 'live');
    expect(sources.map(({ name }) => name)).toEqual([...others, ...files]);
    expect(new Set(sources.map(({ goodAsOf, lastFault }) => goodAsOf ?? lastFault))).toEqual(new Set([null]));
  });

  test('is as old as its newest good answer was true, which a frozen file shows', async () => {
    const { health, layer, state, clock } = build();
    state.asOf = NOON - 5000;
    clock.at = NOON + 1000;
    await layer(call('live', { keyed: false, cacheKey: 'live/two' }));
    const { sources } = await health.diagnose(null);
    expect(sources.find(({ name }) => name === 'live/two')?.goodAsOf).toBe(NOON - 5000);
    expect(sources.find(({ name }) => name === 'live/one')?.goodAsOf).toBeNull();
  });

  test('keeps its last fault beside its last good answer; an unknown name is no fault', async () => {
    const { health, layer, state, clock } = build();
    await layer(call('profile'));
    clock.at = NOON + 1000;
    state.mood = 'unavailable';
    await expect(layer(call('profile'))).rejects.toMatchObject({ fault: 'unavailable' });
    clock.at = NOON + 2000;
    state.mood = 'not-found';
    await expect(layer(call('car'))).rejects.toMatchObject({ fault: 'not-found' });
    const { sources } = await health.diagnose(null);
    expect(sources.filter(({ goodAsOf }) => goodAsOf !== null)).toEqual([
      {
        name: 'profile',
        goodAsOf: NOON,
        isWidgetOff: false,
        lastFault: { fault: 'unavailable', at: NOON + 1000 },
      },
      { name: 'car', goodAsOf: NOON + 2000, lastFault: null },
    ]);
  });

  test('has no fault because a call to it was dropped for another that brings its answer', async () => {
    const { health, layer, state } = build();
    state.mood = 'no-turn';
    await expect(layer(call('profile', { signal: AbortSignal.abort() }))).rejects.toThrow();
    const { sources } = await health.diagnose(null);
    expect(sources.find(({ name }) => name === 'profile')?.lastFault).toBeNull();
  });

  test('that nobody knows of takes no memory, whatever is asked', async () => {
    const { health, calls, layer } = build();
    for (let n = 0; n < 1000; n += 1) await layer(call(`stranger ${n}`));
    expect((await health.diagnose(null)).sources).toHaveLength(Object.keys(endpoints).length + 3);
    expect(calls.counts()).toEqual([]);
  });
});

test('counts calls by endpoint and result, but none that was dropped for another', async () => {
  const { calls, layer, state } = build();
  for (const server of ['one', 'two'])
    await layer(call('live', { keyed: false, cacheKey: `live/${server}` }));
  await layer(call('profile'));
  for (const fault of ['not-found', 'unavailable', 'unavailable'] as const) {
    state.mood = fault;
    await expect(layer(call('profile'))).rejects.toMatchObject({ fault });
  }
  await expect(layer(call('profile', { signal: AbortSignal.abort() }))).rejects.toThrow();
  expect(calls.counts()).toEqual([
    { endpoint: 'live', result: 'answered', count: 2 },
    { endpoint: 'profile', result: 'answered', count: 1 },
    { endpoint: 'profile', result: 'not-found', count: 1 },
    { endpoint: 'profile', result: 'unavailable', count: 2 },
  ]);
});

test('the cache is judged by the questions that need the key', async () => {
  const { health, calls, layer } = build();
  const kept: Layer = async (asked) =>
    asked.cacheKey === 'kept' ? { body: {}, asOf: 0, stale: null, rate: null } : layer(asked);
  const whole = calls.asked(kept);
  for (const cacheKey of ['kept', 'kept', 'kept', 'new']) await whole(call('profile', { cacheKey }));
  await whole(call('live', { keyed: false, cacheKey: 'live/one' }));
  expect((await health.diagnose(null)).cache).toEqual({ asked: 4, fetched: 1, kept: 3 });
});

test('the last five errors are listed, newest first', async () => {
  const { health, clock } = build();
  for (let n = 1; n <= 7; n += 1) {
    clock.at = NOON + n;
    health.onBug({ id: `id${n}`, command: 'car', kind: 'TypeError' });
  }
  const { bugs } = await health.diagnose(null);
  expect(bugs.map(({ id, at }) => [id, at - NOON])).toEqual([
    ['id7', 7],
    ['id6', 6],
    ['id5', 5],
    ['id4', 4],
    ['id3', 3],
  ]);
});

test('a ledger that is out of reach leaves the budget missing and the rest reported', async () => {
  const { health, state } = build();
  expect(await health.budget()).toEqual(quietBudget);
  state.budget = 'away';
  expect(await health.budget()).toBeNull();
  expect(await health.diagnose('7')).toMatchObject({
    version: '1.2.3',
    startedAt: NOON,
    latencyMs: 42,
    clockSkewMs: null,
    budget: null,
    store: { saves: false, hasHistory: true },
    boards: [listedBoard('of 7')],
  });
});
