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
   * Not known to be spent, yet not available: the service grants less than its limit without saying who has the
   * rest, and a few requests are left to other users of the key.
   */
  readonly heldBack: number;
  readonly left: number;
  /** How many of `left` the background may use; the rest is reserved for people. */
  readonly leftForBackground: number;
  /** Time until one more request may be sent, and what it waits for; `reason` null: now. */
  readonly next: Readonly<Record<Priority, { readonly waitMs: number; readonly reason: Reason | null }>>;
  /** A stricter limit stated by one answer, obeyed until it is confirmed or expires; null: none. */
  readonly trial: { readonly limit: number; readonly windowMs: number; readonly endsMs: number } | null;
  /** What the service says is left, by the lowest reading; null where it does not say. */
  readonly remaining: number | null;
  /** Time until the first permit in force stops counting; null where there is none. */
  readonly nextReleaseMs: number | null;
  /** How often the service has refused us since the ledger began. */
  readonly refusals: number;
  /** Time until requests may be sent again after a refusal; 0 when they may. */
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
  // The headers already leave out what others use; our own count does not include it.
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
