import { describe, expect, test } from 'vitest';
import { blankStanding, currentBound, foreignUse, Standing } from '../../../src/service/budget/estimate.ts';
import { boundOf, NOW, standingOf } from './page.ts';

const HOUR = 3_600_000;

test.each([
  { age: 0, left: 200 },
  { age: HOUR / 4, left: 150 },
  { age: HOUR / 2, left: 100 },
  { age: HOUR, left: 0 },
  { age: 2 * HOUR, left: 0 },
  { age: -HOUR, left: 200 },
])('of 200 requests of others $age ms ago $left still count', ({ age, left }) => {
  expect(foreignUse(standingOf({ foreign: { amount: 200, at: NOW - age } }), NOW)).toBe(left);
});

test("what others use fades over the key's own window", () => {
  const limit = { requests: 720, windowMs: 2 * HOUR };
  expect(foreignUse(standingOf({ limit, foreign: { amount: 200, at: NOW - HOUR } }), NOW)).toBe(100);
});

test.each([
  { what: 'holds until its reset', until: NOW + 1, holds: true },
  { what: 'ends with it', until: NOW, holds: false },
])('a bound $what', ({ until, holds }) => {
  expect(currentBound(standingOf({ bound: boundOf({ until }) }), NOW) !== null).toBe(holds);
});

describe('a new ledger', () => {
  test('assumes the limit of a client key and knows nothing else', () => {
    expect(blankStanding(NOW)).toEqual({
      seq: NOW,
      limit: { requests: 720, windowMs: HOUR },
      limitSeenAt: null,
      bound: null,
      probe: null,
      foreign: { amount: 0, at: NOW },
      peak: null,
      slides: false,
      closedUntil: 0,
      refusals: 0,
      refusedInRow: 0,
    });
  });

  test('numbers its permits beyond those of a ledger that was lost', () => {
    expect(blankStanding(NOW + 0.7).seq).toBe(NOW);
  });

  test('is stored and read as it is', () => {
    const standing = standingOf({ bound: boundOf(), peak: { remaining: 60, at: NOW } });
    expect(Standing.parse(JSON.parse(JSON.stringify(standing)))).toEqual(standing);
  });
});
