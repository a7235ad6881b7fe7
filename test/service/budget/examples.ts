import { blankEstimate, type QuotaEstimate } from '../../../src/service/budget/estimate.ts';
import type { Counts, LedgerSnapshot, Permit } from '../../../src/service/budget/ledger/ledger-store.ts';

/** The ledger's time in tests of the pure rules. */
export const NOW = 1_790_000_000_000;

const nothing: Counts = {
  interactive: 0,
  background: 0,
  interactiveLately: 0,
  interactiveQuarter: 0,
  uncounted: 0,
  inFlight: 0,
  sinceReset: 0,
  nextRelease: null,
  nextBackgroundRelease: null,
  lastBackgroundAt: null,
};

export function countsOf(known: Partial<Counts> = {}): Counts {
  return { ...nothing, ...known };
}

/** A bound stated this moment, which holds for half an hour. */
export function boundOf(
  known: Partial<NonNullable<QuotaEstimate['bound']>> = {},
): NonNullable<QuotaEstimate['bound']> {
  return {
    remaining: 700,
    permit: 1,
    takenAt: NOW - 100,
    at: NOW,
    until: NOW + 1_800_000,
    since: NOW - 1_800_000,
    counted: 0,
    check: null,
    ...known,
  };
}

/** A key of 720 an hour, used by nobody else, with most of its window left. */
export function estimateOf(known: Partial<QuotaEstimate> = {}): QuotaEstimate {
  return { ...blankEstimate(NOW), bound: boundOf(), ...known };
}

export function snapshotOf(
  estimate: Partial<QuotaEstimate> = {},
  counts: Partial<Counts> = {},
): LedgerSnapshot {
  return { now: NOW, estimate: estimateOf(estimate), counts: countsOf(counts) };
}

export function permitOf(known: Partial<Permit> = {}): Permit {
  return { id: 2, kind: 'interactive', takenAt: NOW - 100, ...known };
}
