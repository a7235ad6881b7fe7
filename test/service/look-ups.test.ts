import { beforeEach, describe, expect, test } from 'vitest';
import { type Fault, ServiceError } from '../../src/base/errors.ts';
import { createLookUps, nextSubject, type Subject } from '../../src/service/look-ups.ts';
import { carJson, driverJson, serviceOf } from '../support/records.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const subject = (name: string, changes: Partial<Subject> = {}): Subject => ({
  ...{ kind: 'car', name, every: 10 * MINUTE, isUrgent: false, knownAt: null },
  ...changes,
});

describe('the next one to look up', () => {
  const now = 1000 * HOUR;

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
  ])('is %s', (_what, subjects, expected) => {
    expect(nextSubject(subjects, now)?.name ?? null).toBe(expected);
  });
});

describe('looking up', () => {
  let now: number;
  let asked: { readonly name: string; readonly at: number; readonly ask: unknown }[];
  let answer: (name: string) => number;
  let stale: Fault | null;
  let found: string[];
  let bugs: unknown[];
  let lookUp: ReturnType<typeof createLookUps>;

  beforeEach(() => {
    now = 1_000_000;
    asked = [];
    found = [];
    bugs = [];
    answer = () => now;
    stale = null;
    const service = serviceOf(
      ({ endpoint: name, ask }) => {
        asked.push({ name, at: now, ask });
        return name === 'car' ? carJson : driverJson;
      },
      ({ endpoint }) => ({ asOf: answer(endpoint), stale }),
    );
    lookUp = createLookUps({
      service,
      clock: { now: () => now, monotonic: () => now, after: () => () => {} },
      failed: (error) => bugs.push(error),
    });
  });

  async function pass(ms: number, subjects: readonly Subject[]): Promise<void> {
    for (let passed = 0; passed < ms; passed += 15 * SECOND) {
      now += 15 * SECOND;
      await lookUp(subjects, ({ kind, record }, asOf) => {
        if (kind === 'live') return;
        found.push(`${kind} ${'vin' in record ? record.vin : record.username} ${asOf - now}`);
      });
    }
  }
  const both = [subject('AB12C'), subject('k3nny', { kind: 'profile' })];
  const times = (name: string) => asked.filter((one) => one.name === name).length;

  test('costs at most 72 cars and 60 profiles an hour, all in the background, none right after a start', async () => {
    await pass(45 * SECOND, both);
    expect(asked).toEqual([]);
    await pass(HOUR, both);
    expect(times('car')).toBeGreaterThan(50);
    expect(times('car')).toBeLessThanOrEqual(72);
    expect(times('profile')).toBeLessThanOrEqual(60);
    for (const { ask } of asked) expect(ask).toMatchObject({ priority: 'background' });
  });

  test('continues at once after an answer that cost nothing', async () => {
    answer = () => now - MINUTE;
    await pass(2 * MINUTE, [subject('AB12C')]);
    // From the first turn on, each round.
    expect(times('car')).toBeGreaterThanOrEqual(5);
  });

  test('takes an answer from the cache as well, but none that is stale', async () => {
    answer = (name) => now - (name === 'car' ? MINUTE : 0);
    await pass(MINUTE, both);
    expect(new Set(found)).toEqual(new Set([`car AB12C ${-MINUTE}`, 'profile k3nny 0']));
    found = [];
    stale = 'unavailable';
    await pass(2 * MINUTE, both);
    expect(times('car')).toBeGreaterThan(1);
    expect(found).toEqual([]);
  });

  test('takes twice as long after a failure that was sent twice, and leaves that one alone', async () => {
    answer = () => {
      throw new ServiceError('unavailable', { endpoint: 'car', sent: 'maybe', transient: true });
    };
    await pass(10 * MINUTE, [subject('AB12C'), subject('BB12C')]);
    const at = asked.map((one) => one.at);
    expect(at.length).toBeGreaterThan(2);
    const pauses = at.slice(1).map((each, index) => each - (at[index] ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(100 * SECOND);
    expect(bugs).toEqual([]);
  });

  test('does not ask again and again for what nobody knows', async () => {
    answer = () => {
      throw new ServiceError('not-found', { endpoint: 'car', sent: 'yes' });
    };
    await pass(11 * HOUR, [subject('AB12C')]);
    expect(asked).toHaveLength(1);
  });

  test('survives a bug', async () => {
    answer = () => {
      throw new Error('a bug');
    };
    await pass(5 * MINUTE, [subject('AB12C')]);
    expect(bugs.length).toBeGreaterThan(1);
  });
});
