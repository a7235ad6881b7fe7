import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/base/duration.ts';
import { ServiceError } from '../../src/base/errors.ts';
import { createListeners } from '../../src/base/listeners.ts';
import type { Call, Layer } from '../../src/service/call.ts';
import { createClient } from '../../src/service/client.ts';
import type { Observation } from '../../src/service/endpoints.ts';
import { createLookUps, nextSubject, type Subject } from '../../src/service/look-ups.ts';
import type { VirtualTime } from '../sim/virtual-time.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { carJson, driverJson } from '../support/records.ts';
import { startTime } from '../support/start-time.ts';
import { countTurns } from '../support/turns.ts';
import { places } from './loopback.ts';

const now = 1000 * HOUR;

const subject = (name: string, changes: Partial<Subject & { since: number }> = {}) => ({
  ...{ kind: 'car' as const, name, every: 10 * MINUTE, isUrgent: false, knownAt: null, since: now },
  ...changes,
});

describe('the next one to look up', () => {
  test.each([
    ['none that is young enough', [subject('a', { knownAt: now - 9 * MINUTE })], null],
    ['one that is old', [subject('a', { knownAt: now - 10 * MINUTE })], 'a'],
    ['what nobody knows', [subject('a', { knownAt: now - HOUR }), subject('b')], 'b'],
    [
      'what is late for how often it is wanted',
      [subject('a', { knownAt: now - 30 * MINUTE }), subject('b', { knownAt: now - HOUR, every: HOUR })],
      'a',
    ],
    [
      'what has to be confirmed',
      [
        subject('a', { knownAt: now - 11 * MINUTE }),
        subject('b', { knownAt: now - 2 * MINUTE, isUrgent: true }),
      ],
      'b',
    ],
    [
      'not what was read within the minute',
      [subject('b', { knownAt: now - 59 * SECOND, isUrgent: true })],
      null,
    ],
    [
      'late for what is wanted often, before what was never read',
      [subject('a', { knownAt: now - 55 * MINUTE, every: 5 * MINUTE }), subject('b', { every: 24 * HOUR })],
      'a',
    ],
    [
      'what was never read, before what is wanted as often and was read since',
      [
        subject('a', { knownAt: now - 105 * MINUTE }),
        subject('b', { since: now - HOUR }),
        subject('c', { since: now - 5 * MINUTE }),
      ],
      'b',
    ],
  ])('is %s', (_what, subjects, expected) => {
    expect(nextSubject(subjects, now)?.name ?? null).toBe(expected);
  });
});

describe('looking up', () => {
  let time: VirtualTime;
  let asked: { readonly name: string; readonly at: number; readonly call: Call }[];
  /** How old the answers are, in ms; 0, or `isFetched`: they are not from the cache. */
  let age: (endpoint: string) => number;
  let isFetched: boolean;
  let failure: (() => Error) | null;
  let stale: 'unavailable' | null;
  /** No answer comes before. */
  let until: Promise<void>;
  /** Observations: what of, and how old. */
  let heard: string[];
  let bugs: unknown[];
  let lookUps: ReturnType<typeof createLookUps>;

  beforeEach(() => {
    time = startTime(1_000_000);
    const { now } = time.clock;
    [asked, heard, bugs, age, isFetched, failure, stale] = [[], [], [], () => 0, false, null, null];
    until = Promise.resolve();
    const observations = createListeners<[Observation, number]>();
    observations.listen(({ kind, record }, asOf) => {
      if (kind !== 'live')
        heard.push(`${kind} ${'vin' in record ? record.vin : record.username} ${asOf - now()}`);
    });
    const layer: Layer = async (call) => {
      const { endpoint, query } = call;
      asked.push({ name: endpoint, at: now(), call });
      await until;
      if (failure !== null) throw failure();
      const body = call.pickUsedPart({ ...(endpoint === 'car' ? carJson : driverJson), ...query });
      const answer = { body, asOf: now() - age(endpoint), stale, rate: null };
      if (isFetched || age(endpoint) === 0) call.onFetched?.(answer);
      return answer;
    };
    const service = createClient({ layer, places, onObservation: observations.call });
    const failed = (error: unknown): void => void bugs.push(error);
    lookUps = createLookUps({ service, observations, clock: time.clock, onFailure: failed });
  });
  afterEach(async () => void (await time.until(lookUps.stop())));

  async function pass(ms: number, subjects: readonly Subject[]): Promise<void> {
    const rest = lookUps.want(() => subjects);
    await time.pass(ms);
    rest();
  }
  const many = Array.from({ length: 200 }, (_, at) => [
    subject(`AB${100 + at}`),
    subject(`driver ${at}`, { kind: 'profile' }),
  ]).flat();
  const [car = subject('AB12C')] = many;
  const times = (name: string) => asked.filter((one) => one.name === name).length;

  test('costs at most 72 cars and 60 profiles an hour in the background, none at a start', async () => {
    await pass(45 * SECOND, many);
    expect(asked).toEqual([]);
    await pass(HOUR, many);
    expect(times('car')).toBeGreaterThan(50);
    expect(times('car')).toBeLessThanOrEqual(72);
    expect(times('profile')).toBeGreaterThan(50);
    expect(times('profile')).toBeLessThanOrEqual(60);
    for (const { call } of asked) expect(call).toMatchObject({ priority: 'background' });
  });

  test('shares equal wishes: one request, and all together no more than one alone', async () => {
    const rest = many.slice(0, 8).map((one) => lookUps.want(() => [one, { ...one, every: 24 * HOUR }]));
    await pass(10 * MINUTE, []);
    expect(times('car')).toBe(4);
    expect(times('profile')).toBe(4);
    for (const end of rest) end();
    await pass(HOUR, []);
    expect(asked).toHaveLength(8);
  });

  test('asks again after the shortest wait of those who want it, whoever read it since', async () => {
    await pass(59 * MINUTE, [
      { ...car, every: 24 * HOUR },
      { ...car, every: 30 * MINUTE },
    ]);
    expect(asked.map(({ at }) => (at - 1_000_000) / MINUTE)).toEqual([1, 31]);
  });

  test.each([
    ['what was read meanwhile', () => [{ ...car, every: 30 * MINUTE }], 2],
    [
      'what somebody else read meanwhile',
      () => [{ ...car, every: 30 * MINUTE, knownAt: time.clock.now() }],
      2,
    ],
    ['what was not read yet', () => many.map((one) => ({ ...one, every: 24 * HOUR })), 50],
  ])('goes on with %s after a clock that was ahead was set back', async (_what, subjects, least) => {
    time.stepWall(12 * HOUR);
    const wanted = subjects();
    await pass(40 * MINUTE, wanted);
    asked = [];
    time.stepWall(-12 * HOUR);
    await pass(HOUR + 5 * MINUTE, wanted);
    expect(times('car')).toBeGreaterThanOrEqual(least);
    expect(times('car')).toBeLessThanOrEqual(78);
  });

  test('continues at once after an answer that cost nothing', async () => {
    age = () => MINUTE;
    await pass(2 * MINUTE, many);
    // From the first turn on, each round.
    expect(times('car')).toBeGreaterThanOrEqual(5);
  });

  test('reaches each within a day, where more is wanted than an hour has requests for', async () => {
    const often = Array.from({ length: 120 }, (_, at) => ({ every: 5 * MINUTE, name: `driver ${at}` }));
    const wanted = [...often, { every: 24 * HOUR, name: 'seldom' }];
    await pass(
      24 * HOUR,
      wanted.map(({ name, every }) => subject(name, { kind: 'profile', every })),
    );
    const read = new Set(asked.map(({ call }) => call.query['username']));
    expect(wanted.filter(({ name }) => !read.has(name))).toEqual([]);
  });

  test('is observed once, fetched or from the cache, but not where it is stale', async () => {
    age = (endpoint) => (endpoint === 'car' ? MINUTE : 0);
    const two = many.slice(0, 2);
    await pass(5 * MINUTE, two);
    expect(heard.toSorted()).toEqual([`car AB100 ${-MINUTE}`, 'profile driver 0 0']);
    stale = 'unavailable';
    await pass(HOUR, two);
    expect(times('car')).toBeGreaterThan(2);
    // A record that was fetched is none of before, whatever else is.
    expect(heard.filter((each) => each.startsWith('car'))).toHaveLength(1);
  });

  test('takes twice as long after a failure that was sent twice, and rests that subject', async () => {
    failure = () => new ServiceError('unavailable', { endpoint: 'car', sent: 'maybe', transient: true });
    await pass(10 * MINUTE, [subject('AB12C'), subject('BB12C')]);
    const at = asked.map((one) => one.at);
    expect(at.length).toBeGreaterThan(2);
    const pauses = at.slice(1).map((each, index) => each - (at[index] ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(100 * SECOND);
    expect(bugs).toEqual([]);
  });

  test('asks a failing service no more often if an older record stands in', async () => {
    [age, stale] = [() => MINUTE, 'unavailable'];
    await pass(HOUR, [car, subject('driver', { kind: 'profile' })]);
    // One that failed is left alone for five minutes.
    expect(times('car')).toBeGreaterThan(5);
    expect(times('car')).toBeLessThanOrEqual(12);
    expect(times('profile')).toBeLessThanOrEqual(12);
  });

  test('counts a request whose answer an intermediary had kept for a while', async () => {
    [age, isFetched] = [() => 5 * SECOND, true];
    await pass(HOUR, many);
    expect(times('car')).toBeLessThanOrEqual(72);
    expect(times('profile')).toBeLessThanOrEqual(60);
  });

  test('does not ask again and again for what nobody knows', async () => {
    failure = () => new ServiceError('not-found', { endpoint: 'car', sent: 'yes' });
    await pass(11 * HOUR, [car]);
    expect(asked).toHaveLength(1);
  });

  test('asks for nothing of a kind whose last answer has not come', async () => {
    const late = Promise.withResolvers<void>();
    until = late.promise;
    await pass(10 * MINUTE, many);
    expect(asked.map(({ call }) => call.endpoint).toSorted()).toEqual(['car', 'profile']);
    late.resolve();
    await pass(MINUTE, many);
    expect(asked.length).toBeGreaterThan(2);
  });

  test('survives a bug', async () => {
    failure = () => new Error('a bug');
    await pass(5 * MINUTE, [car]);
    expect(bugs.length).toBeGreaterThan(1);
  });
});

test('chooses among many subjects in slices', async () => {
  const clock = createManualClock();
  const asked = Promise.withResolvers<void>();
  const service = {
    async get() {
      asked.resolve();
      throw new ServiceError('unavailable', { endpoint: 'car', sent: 'no' });
    },
  };
  const lookUps = createLookUps({ service, observations: createListeners(), clock, onFailure: asked.reject });
  const subjects = Array.from({ length: 100 }, (_, at) => subject(`AB${100 + at}`));
  lookUps.want(() => subjects);
  const turns = countTurns();
  clock.pass(MINUTE);
  await asked.promise;
  expect(turns()).toBeGreaterThanOrEqual(100);
  await lookUps.stop();
});
