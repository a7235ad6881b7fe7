import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideAdmission } from '../../../src/service/budget/admission.ts';
import type { BudgetSnapshot } from '../../../src/service/budget/budget-snapshot.ts';
import { describeBudget } from '../../../src/service/budget/describe-budget.ts';
import type { QuotaEstimate } from '../../../src/service/budget/estimate.ts';
import type { Counts } from '../../../src/service/budget/ledger/ledger-store.ts';
import { boundOf, NOW, snapshotOf } from './examples.ts';

const HOUR = 3_600_000;

function figures(
  estimate: Partial<QuotaEstimate>,
  counts: Partial<Counts> = {},
  headroom = 0,
): Pick<BudgetSnapshot, 'spent' | 'otherUsage' | 'heldBack' | 'available' | 'availableToBackground'> {
  const { spent, otherUsage, heldBack, available, availableToBackground } = describeBudget(
    snapshotOf(estimate, counts),
    headroom,
  );
  return { spent, otherUsage, heldBack, available, availableToBackground };
}

describe('the figures', () => {
  test('of a key that is ours alone', () => {
    expect(figures({ bound: null }, { interactive: 30, background: 150, interactiveLately: 30 })).toEqual({
      spent: { interactive: 30, background: 150 },
      otherUsage: 0,
      heldBack: 0,
      available: 540,
      availableToBackground: 420,
    });
  });

  test('with 637 spent by others leave 38, not 675', () => {
    const otherUsage = { amount: 637, at: NOW };
    expect(figures({ bound: null, otherUsage }, { interactive: 45, interactiveLately: 45 })).toEqual({
      spent: { interactive: 45, background: 0 },
      otherUsage: 637,
      heldBack: 0,
      available: 38,
      availableToBackground: 0,
    });
  });

  test('of a key of which 588 were left when we first asked say where the rest is', () => {
    // The published header sample: others, or a service that grants less at a time, nobody can tell after one answer.
    expect(figures({ bound: boundOf({ remaining: 588 }) }, { interactive: 3, uncounted: 2 })).toEqual({
      spent: { interactive: 3, background: 0 },
      otherUsage: 0,
      heldBack: 134,
      available: 583,
      availableToBackground: 463,
    });
  });

  test('show others no more than is missing', () => {
    const estimate = { bound: boundOf({ remaining: 700 }), otherUsage: { amount: 100, at: NOW } };
    expect(figures(estimate, { interactive: 10 })).toMatchObject({
      otherUsage: 13,
      heldBack: 0,
      available: 697,
    });
  });

  test('hold back the headroom of a store that can forget', () => {
    expect(figures({ bound: null }, { interactive: 20 }, 4)).toMatchObject({ heldBack: 4, available: 696 });
  });

  test('are nothing below zero where the limit has been lowered', () => {
    const limit = { requests: 100, windowMs: HOUR };
    expect(figures({ limit, bound: null }, { interactive: 150 })).toMatchObject({
      otherUsage: 0,
      heldBack: 0,
      available: 0,
      availableToBackground: 0,
    });
  });

  test('leave what a limit on trial leaves', () => {
    const trial = { limit: { requests: 100, windowMs: HOUR }, seenAt: NOW, until: NOW + 60_000 };
    expect(figures({ bound: null, trial }, { interactive: 90 })).toMatchObject({
      heldBack: 620,
      available: 10,
    });
  });

  test('always add up to the limit, and are granted as they say', () => {
    const amount = fc.integer({ min: 0, max: 720 });
    fc.assert(
      fc.property(
        fc.record({ interactive: amount, background: amount, others: amount, remaining: fc.option(amount) }),
        fc.record({ uncounted: fc.nat(5), lately: amount, quarter: amount, headroom: fc.constantFrom(0, 4) }),
        ({ interactive, background, others, remaining }, { uncounted, lately, quarter, headroom }) => {
          fc.pre(interactive + background <= 720);
          const snapshot = snapshotOf(
            { bound: boundOf({ remaining }), otherUsage: { amount: others, at: NOW } },
            { interactive, background, uncounted, interactiveLately: lately, interactiveQuarter: quarter },
          );
          const told = describeBudget(snapshot, headroom);
          const { spent, otherUsage, heldBack, available, availableToBackground, next } = told;
          expect(spent.interactive + spent.background + otherUsage + heldBack + available).toBe(720);
          expect(Math.min(otherUsage, heldBack, available, availableToBackground)).toBeGreaterThanOrEqual(0);
          expect(availableToBackground).toBeLessThanOrEqual(available);
          if (available > 0) expect(next.interactive.reason).toBeNull();
          if (availableToBackground > 0)
            expect(decideAdmission('background', snapshot, headroom).granted).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('the next request', () => {
  test.each([
    { what: 'may be sent now', estimate: {}, counts: {}, interactive: null, background: null },
    {
      what: 'waits for a refusal to end',
      estimate: { closedUntil: NOW + 90_000 },
      counts: {},
      interactive: ['closed', 90_000],
      background: ['closed', 90_000],
    },
    {
      what: 'of people may be sent while the background waits',
      estimate: {},
      counts: { background: 600, nextRelease: NOW + 60_000, nextBackgroundRelease: NOW + 60_000 },
      interactive: null,
      background: ['reserve', 60_000],
    },
    {
      what: 'waits for the first release',
      estimate: {},
      counts: { interactive: 720, nextRelease: NOW + 7000 },
      interactive: ['spent', 7000],
      background: ['spent', 7000],
    },
  ])('$what', ({ estimate, counts, interactive, background }) => {
    const { next } = describeBudget(snapshotOf(estimate, counts), 0);
    const told = ({ reason, waitMs }: BudgetSnapshot['next']['interactive']) =>
      reason === null && waitMs === 0 ? null : [reason, waitMs];
    expect(told(next.interactive)).toEqual(interactive);
    expect(told(next.background)).toEqual(background);
  });
});

test.each([
  {
    what: 'that holds is told with its end',
    until: NOW + 60_000,
    told: { limit: 100, windowMs: HOUR, endsMs: 60_000 },
  },
  { what: 'that is over is not told', until: NOW, told: null },
])('a limit on trial $what', ({ until, told }) => {
  const trial = { limit: { requests: 100, windowMs: HOUR }, seenAt: NOW - 9, until };
  expect(describeBudget(snapshotOf({ trial }), 0).trial).toEqual(told);
});

test('times count from now, never in the past', () => {
  const snapshot = snapshotOf(
    { refusals: 3, closedUntil: NOW - 5000, trial: null, limit: { requests: 60, windowMs: 60_000 } },
    { interactive: 1, nextRelease: NOW - 20 },
  );
  expect(describeBudget(snapshot, 0)).toMatchObject({
    limit: 60,
    windowMs: 60_000,
    nextReleaseMs: 0,
    closedMs: 0,
    refusals: 3,
    trial: null,
  });
  const ahead = snapshotOf({ closedUntil: NOW + 5 }, { nextRelease: NOW + 20 });
  expect(describeBudget(ahead, 0)).toMatchObject({ nextReleaseMs: 20, closedMs: 5, remaining: 697 });
  const over = snapshotOf({ bound: boundOf({ remaining: 2 }) });
  expect(describeBudget(over, 0).remaining).toBe(0);
  expect(describeBudget(snapshotOf({ bound: null }), 0)).toMatchObject({
    remaining: null,
    nextReleaseMs: null,
  });
});
