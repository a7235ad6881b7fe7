import { describe, expect, test } from 'vitest';
import {
  blankEstimate,
  currentBound,
  limitInForce,
  otherUsageAt,
  QuotaEstimate,
} from '../../../src/service/budget/estimate.ts';
import { boundOf, estimateOf, NOW } from './examples.ts';

const HOUR = 3_600_000;

test.each([
  { age: 0, left: 200 },
  { age: HOUR / 4, left: 150 },
  { age: HOUR / 2, left: 100 },
  { age: HOUR, left: 0 },
  { age: 2 * HOUR, left: 0 },
  { age: -HOUR, left: 200 },
])('of 200 requests of others $age ms ago $left still count', ({ age, left }) => {
  expect(otherUsageAt(estimateOf({ otherUsage: { amount: 200, at: NOW - age } }), NOW)).toBe(left);
});

test("what others use fades over the key's own window", () => {
  const limit = { requests: 720, windowMs: 2 * HOUR };
  expect(otherUsageAt(estimateOf({ limit, otherUsage: { amount: 200, at: NOW - HOUR } }), NOW)).toBe(100);
});

test.each([
  { what: 'holds until its reset', until: NOW + 1, holds: true },
  { what: 'ends with it', until: NOW, holds: false },
])('a bound $what', ({ until, holds }) => {
  expect(currentBound(estimateOf({ bound: boundOf({ until }) }), NOW) !== null).toBe(holds);
});

describe('the limit in force', () => {
  const limit = { requests: 720, windowMs: HOUR };
  const stricter = { requests: 1, windowMs: 168 * HOUR };
  test.each([
    { what: 'is the known one', trial: null, expected: limit },
    { what: 'is the one on trial', trial: { until: NOW + 1 }, expected: stricter },
    { what: 'is the known one again when the trial is over', trial: { until: NOW }, expected: limit },
  ])('$what', ({ trial, expected }) => {
    const known = trial === null ? null : { limit: stricter, seenAt: NOW - 1, ...trial };
    expect(limitInForce({ limit, trial: known }, NOW)).toEqual(expected);
  });
});

describe('a new ledger', () => {
  test('assumes the limit of a client key and knows nothing else', () => {
    expect(blankEstimate(NOW)).toEqual({
      seq: NOW,
      limit: { requests: 720, windowMs: HOUR },
      limitSeenAt: null,
      trial: null,
      bound: null,
      probe: null,
      otherUsage: { amount: 0, at: NOW },
      peak: null,
      slides: false,
      closedUntil: 0,
      refusals: 0,
      refusedInRow: 0,
    });
  });

  test('numbers its permits beyond those of a ledger that was lost', () => {
    expect(blankEstimate(NOW + 0.7).seq).toBe(NOW);
  });

  test.each([null, 7, 'x', { otherUsage: { amount: 1, at: 2 } }])('is not read from %j', (stored) => {
    expect(QuotaEstimate.safeParse(stored).success).toBe(false);
  });

  test('is stored and read as it is', () => {
    const estimate = estimateOf({
      bound: boundOf(),
      peak: { remaining: 60, at: NOW },
      probe: { permit: 7, until: NOW + 1 },
      trial: { limit: { requests: 1, windowMs: HOUR }, seenAt: NOW, until: NOW + 9 },
    });
    expect(QuotaEstimate.parse(JSON.parse(JSON.stringify(estimate)))).toEqual(estimate);
  });
});
