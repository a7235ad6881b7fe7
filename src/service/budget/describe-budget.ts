import type { Priority } from '../endpoints.ts';
import { decideAdmission, leftByHeaders, leftForBackground } from './admission.ts';
import type { BudgetSnapshot } from './budget-snapshot.ts';
import { limitInForce, otherUsageAt } from './estimate.ts';
import type { LedgerSnapshot } from './ledger/ledger-store.ts';

/** `headroom`: see {@link decideAdmission}. */
export function describeBudget(snapshot: LedgerSnapshot, headroom: number): BudgetSnapshot {
  const { now, estimate, counts } = snapshot;
  const { limit, trial } = estimate;
  const msUntil = (time: number): number => Math.max(0, time - now);
  const wait = (kind: Priority): BudgetSnapshot['next'][Priority] => {
    const admission = decideAdmission(kind, snapshot, headroom);
    if (admission.granted) return { waitMs: 0, reason: null };
    return { waitMs: msUntil(admission.retryAt), reason: admission.reason };
  };

  const spent = counts.interactive + counts.background;
  const unspent = Math.max(0, limit.requests - spent);
  const usageByOthers = Math.round(otherUsageAt(estimate, now));
  const byHeaders = leftByHeaders(snapshot);
  const byOwnCount = limitInForce(estimate, now).requests - headroom - spent;
  // The headers already leave out what others use; our own count does not include it.
  const available = Math.max(0, Math.min(unspent, byOwnCount, byHeaders ?? unspent - usageByOthers));
  const otherUsage = Math.min(usageByOthers, unspent - available);

  return {
    limit: limit.requests,
    windowMs: limit.windowMs,
    spent: { interactive: counts.interactive, background: counts.background },
    otherUsage,
    heldBack: unspent - available - otherUsage,
    available,
    availableToBackground: Math.min(available, leftForBackground(snapshot, headroom)),
    next: { interactive: wait('interactive'), background: wait('background') },
    trial:
      trial !== null && trial.until > now
        ? { limit: trial.limit.requests, windowMs: trial.limit.windowMs, endsMs: msUntil(trial.until) }
        : null,
    remaining: byHeaders === null ? null : Math.max(0, byHeaders),
    nextReleaseMs: counts.nextRelease === null ? null : msUntil(counts.nextRelease),
    refusals: estimate.refusals,
    closedMs: msUntil(estimate.closedUntil),
  };
}
