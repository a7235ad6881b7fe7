import type { Priority } from '../endpoints.ts';
import type { BudgetSnapshot } from '../models/budget-snapshot.ts';
import { decideAdmission, leftByHeaders, leftForBackground } from './admission.ts';
import { limitInForce, otherUsageAt } from './estimate.ts';
import type { LedgerSnapshot } from './ledger/ledger-store.ts';

/** `headroom`: see {@link decideAdmission}. */
export function describeBudget(snapshot: LedgerSnapshot, headroom: number): BudgetSnapshot {
  const { now, estimate, counts } = snapshot;
  const { limit, trial } = estimate;
  const until = (time: number): number => Math.max(0, time - now);
  const wait = (kind: Priority): BudgetSnapshot['next'][Priority] => {
    const admission = decideAdmission(kind, snapshot, headroom);
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
