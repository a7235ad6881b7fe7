import type { Priority } from '../endpoints.ts';
import { admit, leftByHeaders, leftForBackground, type Reason } from './admission.ts';
import { limitInForce, otherUsageAt } from './estimate.ts';
import type { LedgerSnapshot } from './ledger/ledger-store.ts';

/**
 * The key's budget as it stands. Spans of time are in milliseconds from now. The figures add up:
 * `spent` + `otherUsage` + `heldBack` + `left` is the limit, unless more was spent before the limit was lowered.
 */
export interface BudgetSnapshot {
  readonly limit: number;
  readonly windowMs: number;
  /** Permits in force, by who asked. */
  readonly spent: Readonly<Record<Priority, number>>;
  /** What others seem to spend on this key within a window. */
  readonly otherUsage: number;
  /**
   * What nobody is known to have spent, but cannot be had now either: the service grants less than its limit (to whom
   * it grants the rest is not said), and a few are left to others that may be on their way.
   */
  readonly heldBack: number;
  readonly left: number;
  /** How many of `left` the background may use; the rest is kept for people. */
  readonly leftForBackground: number;
  /** Until one more request may be sent, and why it may not before; `reason` null: now. */
  readonly next: Readonly<Record<Priority, { readonly waitMs: number; readonly reason: Reason | null }>>;
  /** A stricter limit that one answer has stated, kept until it is confirmed or its time is over; null: none. */
  readonly trial: { readonly limit: number; readonly windowMs: number; readonly endsMs: number } | null;
  /** What the service itself still leaves us, by the lowest reading; null where it does not say. */
  readonly remaining: number | null;
  /** Until the first permit in force stops to count; null where there is none. */
  readonly nextReleaseMs: number | null;
  /** How often the service has refused us since the ledger began. */
  readonly refusals: number;
  /** Until requests may be sent again after a refusal; 0 when they may. */
  readonly closedMs: number;
}

/** `headroom`: see {@link admit}. */
export function describeBudget(snapshot: LedgerSnapshot, headroom: number): BudgetSnapshot {
  const { now, estimate, counts } = snapshot;
  const { limit, trial } = estimate;
  const until = (time: number): number => Math.max(0, time - now);
  const wait = (kind: Priority): BudgetSnapshot['next'][Priority] => {
    const admission = admit(kind, snapshot, headroom);
    if (admission.granted) return { waitMs: 0, reason: null };
    return { waitMs: until(admission.retryAt), reason: admission.reason };
  };

  const spent = counts.interactive + counts.background;
  const unspent = Math.max(0, limit.requests - spent);
  const others = Math.round(otherUsageAt(estimate, now));
  const byHeaders = leftByHeaders(snapshot);
  const own = limitInForce(estimate, now).requests - headroom - spent;
  // What the headers leave is without what others use; our own count knows nothing of that.
  const left = Math.max(0, Math.min(unspent, own, byHeaders ?? unspent - others));
  const otherUsage = Math.min(others, unspent - left);

  return {
    limit: limit.requests,
    windowMs: limit.windowMs,
    spent: { interactive: counts.interactive, background: counts.background },
    otherUsage,
    heldBack: unspent - left - otherUsage,
    left,
    leftForBackground: Math.min(left, leftForBackground(snapshot, headroom)),
    next: { interactive: wait('interactive'), background: wait('background') },
    trial:
      trial !== null && trial.until > now
        ? { limit: trial.limit.requests, windowMs: trial.limit.windowMs, endsMs: until(trial.until) }
        : null,
    remaining: byHeaders === null ? null : Math.max(0, byHeaders),
    nextReleaseMs: counts.nextRelease === null ? null : until(counts.nextRelease),
    refusals: estimate.refusals,
    closedMs: until(estimate.closedUntil),
  };
}
