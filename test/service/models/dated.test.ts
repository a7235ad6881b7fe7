import { describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../src/base/duration.ts';
import { judgeFreshness, type Pace, type Stale, whyOld } from '../../../src/service/models/dated.ts';

type Freshness = ReturnType<typeof judgeFreshness>;

const NOON = 1_795_176_000_000;

describe('a record is', () => {
  test.each<[Freshness, Pace, number]>([
    ['live', 'live', 0],
    ['live', 'live', 45 * SECOND],
    ['stale', 'live', 45 * SECOND + 1],
    ['stale', 'live', 15 * MINUTE],
    ['no-data', 'live', 15 * MINUTE + 1],
    ['live', 'polled', 6 * MINUTE],
    ['stale', 'polled', 6 * MINUTE + 1],
    ['stale', 'polled', 15 * MINUTE],
    ['no-data', 'polled', 15 * MINUTE + 1],
    // A clock that was set back.
    ['live', 'live', -MINUTE],
  ])('%s, of a %s source after %d ms', (expected, pace, age) => {
    expect(judgeFreshness({ asOf: NOON - age }, pace, NOON)).toBe(expected);
    expect(judgeFreshness({ asOf: NOON - age, stale: null }, pace, NOON)).toBe(expected);
  });

  test.each<[Freshness, Pace, Stale]>([
    ['stale', 'polled', 'unavailable'],
    ['stale', 'live', 'unavailable'],
    ['stale', 'live', 'share'],
    ['stale', 'polled', 'slow'],
    ['live', 'live', 'slow'],
  ])('%s, of a %s source, where it is kept because of: %s', (expected, pace, stale) => {
    expect(judgeFreshness({ asOf: NOON - SECOND, stale }, pace, NOON)).toBe(expected);
  });

  test.each<[Freshness, Pace, Stale | undefined, number]>([
    ['live', 'polled', undefined, 6 * MINUTE],
    ['live', 'polled', 'over-budget', 6 * MINUTE],
    ['live', 'polled', 'refused', 6 * MINUTE],
    ['stale', 'polled', 'unavailable', 6 * MINUTE],
    ['stale', 'polled', 'unavailable', 2 * MINUTE + 1],
    ['live', 'polled', 'unavailable', 2 * MINUTE],
    ['stale', 'live', 'unavailable', 45 * SECOND + 1],
  ])('%s, of a %s source, after a failure to read it again: %s', (expected, pace, unread, age) => {
    expect(judgeFreshness({ asOf: NOON - age, unread }, pace, NOON)).toBe(expected);
  });

  test('no data after a while, whatever it is kept for', () => {
    expect(judgeFreshness({ asOf: NOON - 16 * MINUTE, stale: 'slow' }, 'live', NOON)).toBe('no-data');
  });
});

test.each([
  ['over-budget', null, null, 'over-budget'],
  // Whatever is left by our own count: it is the service that does not answer.
  ['over-budget', null, 'limit', 'refused'],
  ['over-budget', 'person', null, 'share'],
  ['unavailable', null, null, 'unavailable'],
] as const)('a record is old by %s (share %s, refusal %s) because of: %s', (fault, share, refusal, why) => {
  expect(whyOld({ fault, share, refusal })).toBe(why);
});
