import { describe, expect, test } from 'vitest';
import type { RateReport } from '../../../src/base/errors.ts';
import {
  refusalPause,
  statedLimit,
  statedRemaining,
  untilReset,
} from '../../../src/service/budget/headers.ts';

const LIMIT = { requests: 720, windowMs: 3_600_000 };
/** Of the published sample: Saturday, 18 March 2017, 08:27:06. */
const DATE = 1_489_825_626_000;

function rateOf(known: Partial<RateReport>): RateReport {
  const silent = {
    limit: null,
    windowSeconds: null,
    remaining: null,
    reset: null,
    date: null,
    retryAfter: null,
  };
  return { ...silent, ...known };
}

describe('the limit', () => {
  test.each([
    [720, 3600, { requests: 720, windowMs: 3_600_000 }],
    [1, 1, { requests: 1, windowMs: 1000 }],
    [100_000, 604_800, { requests: 100_000, windowMs: 604_800_000 }],
    [0, 3600, null],
    [720, 0, null],
    [100_001, 3600, null],
    [720, 604_801, null],
    [7.5, 3600, null],
    [720, 0.5, null],
    [-720, 3600, null],
    [Number.NaN, 3600, null],
    [720, Number.POSITIVE_INFINITY, null],
    [null, 3600, null],
    [720, null, null],
  ])('%s/%s is %j', (limit, windowSeconds, expected) => {
    expect(statedLimit(rateOf({ limit, windowSeconds }))).toEqual(expected);
  });
});

describe('Remaining', () => {
  test.each([
    [588, 588],
    [0, 0],
    [720, 720],
    [721, null],
    [-1, null],
    [3.5, null],
    [null, null],
  ])('%s of 720 is %s', (remaining, expected) => {
    expect(statedRemaining(rateOf({ remaining }), LIMIT)).toBe(expected);
  });
});

describe('the reset', () => {
  test.each([
    ['in half an hour', 1800, 1_801_000],
    ['in a second', 1, 2000],
    ['in a window', 3600, 3_601_000],
    ['in a window and the second that both are rounded by', 3601, 3_602_000],
    ['later than that', 3602, null],
    ['now', 0, null],
    ['three hours before the Date, as published', -11_447, null],
  ])('%s', (_when, seconds, expected) => {
    expect(untilReset(rateOf({ date: DATE, reset: DATE / 1000 + seconds }), LIMIT)).toBe(expected);
  });

  test('is not known without a Date or without a Reset', () => {
    expect(untilReset(rateOf({ reset: DATE / 1000 + 60 }), LIMIT)).toBeNull();
    expect(untilReset(rateOf({ date: DATE }), LIMIT)).toBeNull();
  });
});

describe('the pause after a refusal', () => {
  test.each([
    ['Retry-After', { retryAfter: 90 }, 90_000],
    ['a Retry-After of one second', { retryAfter: 1 }, 1000],
    ['a Retry-After of a whole window', { retryAfter: 3600 }, 3_600_000],
    ['a minute, where Retry-After is too short', { retryAfter: 0.9 }, 60_000],
    ['a minute, where it is longer than a window', { retryAfter: 3601 }, 60_000],
    ['the reset, where there is no Retry-After', { date: DATE, reset: DATE / 1000 + 300 }, 301_000],
    [
      'the reset, where Retry-After is absurd',
      { retryAfter: -5, date: DATE, reset: DATE / 1000 + 300 },
      301_000,
    ],
    ['a minute, where neither is told', {}, 60_000],
    [
      'a minute, where Remaining denies that the window of the reset is spent',
      { remaining: 1, date: DATE, reset: DATE / 1000 + 300 },
      60_000,
    ],
    [
      'the reset, where nothing is left until then',
      { remaining: 0, date: DATE, reset: DATE / 1000 + 300 },
      301_000,
    ],
    ['Retry-After, even where Remaining denies it', { remaining: 700, retryAfter: 90 }, 90_000],
  ])('is %s', (_what, rate, expected) => {
    expect(refusalPause(rateOf(rate), LIMIT)).toBe(expected);
  });

  test('is a minute where there are no headers at all', () => {
    expect(refusalPause(null, LIMIT)).toBe(60_000);
  });
});
