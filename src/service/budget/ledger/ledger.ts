import type { RateReport } from '../../../base/errors.ts';
import type { Priority } from '../../endpoints.ts';
import { decideAdmission, type Reason } from '../admission.ts';
import type { BudgetSnapshot } from '../budget-snapshot.ts';
import { describeBudget } from '../describe-budget.ts';
import type { Limit } from '../estimate.ts';
import { beginProbe, endProbe, learnFromAnswer, learnRefusal } from '../learn.ts';
import type { Change, LedgerSnapshot, LedgerStore, Permit } from './ledger-store.ts';

/** A permit to send one request now; or why there is none, and the milliseconds until it is worth trying again. */
type Decision = (
  | { readonly permit: Permit }
  | { readonly permit: null; readonly reason: Reason; readonly waitMs: number }
) & { readonly limit: Limit };

/**
 * Fate of the request.
 * - `unsent`: it certainly never left. `doubtful`: nobody knows, so it keeps counting.
 * - `answered`: with the answer's rate-limit headers. `refused`: the service says we are over the limit.
 */
export type Outcome =
  | { readonly kind: 'unsent' }
  | { readonly kind: 'doubtful' }
  | { readonly kind: 'answered'; readonly rate: RateReport | null }
  | { readonly kind: 'refused'; readonly rate: RateReport | null };

/** Grants permits to send. Rejects only when its store is unavailable; then nothing may be sent. */
export interface Ledger {
  /** `flightMs`: the time after which the request can no longer reach the service. */
  take(kind: Priority, flightMs: number): Promise<Decision>;
  /** Resolves with how long nothing is sent from now, in ms; 0: no pause. */
  settle(permit: Permit, outcome: Outcome): Promise<number>;
  snapshot(): Promise<BudgetSnapshot>;
}

/** Applies the rules to a store. `headroom`: requests of the limit that are never spent. */
export function createLedger(store: LedgerStore, { headroom }: { readonly headroom: number }): Ledger {
  return {
    take: (kind, flightMs) =>
      store.transaction((snapshot) => decide(kind, flightMs, headroom, snapshot), true),
    // If a power cut loses an outcome, its permit counts for longer. That is not worth a wait for the disk.
    settle: (permit, outcome) => store.transaction((snapshot) => conclude(permit, outcome, snapshot), false),
    snapshot: () =>
      store.transaction((snapshot) => ({ change: null, result: describeBudget(snapshot, headroom) }), false),
  };
}

/** Longest wait of other requests for a probe whose process has died. An answer takes at most the transport's 8 s. */
const PROBE_TIMEOUT_MS = 10_000;

function decide(
  kind: Priority,
  flightMs: number,
  headroom: number,
  snapshot: LedgerSnapshot,
): { change: Change | null; result: Decision } {
  const { now, estimate } = snapshot;
  const { limit } = estimate;
  const admission = decideAdmission(kind, snapshot, headroom);
  if (!admission.granted) {
    const { reason, retryAt } = admission;
    return { change: null, result: { permit: null, reason, waitMs: retryAt - now, limit } };
  }
  const permit = { id: estimate.seq + 1, kind, takenAt: now };
  const flightEnd = now + flightMs;
  const probing = admission.probe
    ? beginProbe(estimate, { permit: permit.id, until: now + Math.min(flightMs, PROBE_TIMEOUT_MS) }, now)
    : estimate;
  return {
    change: { estimate: { ...probing, seq: permit.id }, enter: { permit, flightEnd } },
    result: { permit, limit },
  };
}

function conclude(
  permit: Permit,
  outcome: Outcome,
  { now, estimate, counts }: LedgerSnapshot,
): { change: Change; result: number } {
  const closedMs = Math.max(0, estimate.closedUntil - now);
  if (outcome.kind === 'unsent' || outcome.kind === 'doubtful') {
    const freed = { estimate: endProbe(estimate, permit) };
    return { change: outcome.kind === 'unsent' ? { ...freed, remove: permit } : freed, result: closedMs };
  }

  const seq = estimate.seq + 1;
  const answer = { permit, seq, at: now };
  const answeredPermit = { permit, rate: outcome.rate };
  if (outcome.kind === 'answered')
    return {
      change: { estimate: { ...learnFromAnswer(estimate, answeredPermit, counts, now), seq }, answer },
      result: closedMs,
    };
  const refused = { ...learnRefusal(estimate, answeredPermit, counts, now), seq };
  return { change: { estimate: refused, answer }, result: refused.closedUntil - now };
}
