import type { Priority } from '../endpoints.ts';
import { currentBound, type Limit, limitInForce, otherUsageAt, type QuotaEstimate } from './estimate.ts';
import type { LedgerSnapshot } from './ledger/ledger-store.ts';

/**
 * Why there is no permit now.
 * - `closed`: the service has refused us and said for how long.
 * - `spent`: our own permits in force use up the limit.
 * - `headers`: the service says that nothing is left.
 * - `probe`: the current window is unknown, and one request is finding out.
 * - `reserve`: what is left is reserved for people. `pace`: too soon after the last background request.
 */
export type Reason = 'closed' | 'spent' | 'headers' | 'probe' | 'reserve' | 'pace';

type Admission =
  | { readonly granted: true; readonly probe: boolean }
  | { readonly granted: false; readonly reason: Reason; readonly retryAt: number };

/** Interval between checks while an answer under way may change the estimate. */
const RECHECK_INTERVAL_MS = 250;

/** The part of the limit that background requests leave to people. */
export function reservedRequests({ requests }: Limit): number {
  return requests / 6;
}

/**
 * The minimum time between two background requests: the background's part of the limit, spread evenly over the
 * window.
 */
export function backgroundPace(limit: Limit): number {
  return limit.windowMs / (limit.requests - reservedRequests(limit));
}

/** Requests left by the lowest reading of the headers; null if they set no bound. */
export function leftByHeaders({ now, estimate, counts }: LedgerSnapshot): number | null {
  const bound = currentBound(estimate, now);
  if (bound === null || bound.remaining === null) return null;
  return bound.remaining - counts.uncounted - otherUsageAllowance(estimate, now - bound.at, now);
}

/**
 * Requests that others may have sent since then: their average, plus four standard deviations of independent
 * requests, plus a few that may be under way.
 */
function otherUsageAllowance(estimate: QuotaEstimate, age: number, now: number): number {
  const expected = (otherUsageAt(estimate, now) * age) / estimate.limit.windowMs;
  return headerHeadroom(estimate.limit) + Math.ceil(expected + 4 * Math.sqrt(expected));
}

/** Maximum permits in force, even for a key that is all headroom. See {@link decideAdmission}. */
function permitsAtMost({ requests }: Limit, headroom: number): number {
  return Math.max(1, requests - headroom);
}

/**
 * How many of them the background may hold: what people have not needed lately, others do not use and no reserve
 * covers.
 */
function backgroundShare({ now, estimate, counts }: LedgerSnapshot, headroom: number): number {
  const limit = limitInForce(estimate, now);
  const people = Math.max(counts.interactiveLately, 4 * counts.interactiveQuarter);
  return permitsAtMost(limit, headroom) - people - otherUsageAt(estimate, now) - reservedRequests(limit);
}

/** Returns the number of requests that the background could send now, back to back. */
export function leftForBackground(snapshot: LedgerSnapshot, headroom: number): number {
  const { now, estimate, counts } = snapshot;
  const limit = limitInForce(estimate, now);
  const unreserved =
    permitsAtMost(limit, headroom) - reservedRequests(limit) - counts.interactive - counts.background;
  const share = backgroundShare(snapshot, headroom) - counts.background;
  const byHeaders = leftByHeaders(snapshot) ?? Number.POSITIVE_INFINITY;
  return Math.max(0, Math.ceil(Math.min(unreserved, share, byHeaders - headerReserve(estimate))));
}

/**
 * One more request may be sent now. `headroom`: the part of the limit that is never spent, for a store that
 * can lose its last writes.
 */
export function decideAdmission(kind: Priority, snapshot: LedgerSnapshot, headroom: number): Admission {
  const { now, estimate, counts } = snapshot;
  const limit = limitInForce(estimate, now);
  // A wait caused by a stricter limit on trial ends with the trial.
  const looser = limit === estimate.limit ? null : estimate.trial;
  const wait = (reason: Reason, retryAt: number | null): Admission => ({
    granted: false,
    reason,
    retryAt: Math.max(Math.min(retryAt ?? 0, looser?.until ?? Number.POSITIVE_INFINITY), now + 1),
  });

  if (estimate.closedUntil > now) return { granted: false, reason: 'closed', retryAt: estimate.closedUntil };

  const atMost = permitsAtMost(limit, headroom);
  const spent = counts.interactive + counts.background;
  if (spent >= atMost) return wait('spent', counts.nextRelease);

  const bound = currentBound(estimate, now);
  const remaining = leftByHeaders(snapshot);
  const reserve = kind === 'interactive' ? 0 : headerReserve(estimate);
  const { probe } = estimate;
  const isProbing = probe !== null && probe.until > now;
  const isFull = bound !== null && remaining !== null && remaining <= reserve;
  if (isFull && !(isProbing && bound.check !== null)) {
    const checkAt = Math.min(bound.check?.at ?? bound.until, bound.until);
    if (checkAt > now) return wait('headers', counts.inFlight > 0 ? now + RECHECK_INTERVAL_MS : checkAt);
  }

  if (kind === 'background') {
    const even = (counts.lastBackgroundAt ?? Number.NEGATIVE_INFINITY) + backgroundPace(limit);
    if (even > now) return wait('pace', even);
    // People's needs may change before a permit is released, but not by much.
    const later = now + backgroundPace(limit);
    if (spent >= atMost - reservedRequests(limit))
      return wait('reserve', Math.max(counts.nextRelease ?? 0, later));
    if (counts.background >= backgroundShare(snapshot, headroom))
      return wait('reserve', Math.max(counts.nextBackgroundRelease ?? 0, later));
  }

  if (bound !== null && !isFull) return { granted: true, probe: false };
  const ready = isFull ? now : probeAt(snapshot);
  if (ready > now) return wait('headers', ready);
  if (isProbing) return wait('probe', Math.min(probe.until, now + RECHECK_INTERVAL_MS));
  return { granted: true, probe: true };
}

/**
 * When to probe after a reset. On a shared key, a sliding window frees one request at its reset, and someone else
 * may take it: so we wait until enough of our own have been freed. Where the window is not known to slide, the wait
 * is short.
 */
function probeAt({ now, estimate, counts }: LedgerSnapshot): number {
  const { bound: last, limit, slides } = estimate;
  if (last === null || last.remaining === null || otherUsageAt(estimate, now) < 1) return now;
  // The service said when to come back. If that proved wrong, our own estimate is better.
  if (estimate.refusedInRow === 1 && !slides) return now;
  const untouched = Math.max(0, last.remaining - otherUsageAllowance(estimate, now - last.at, now));
  const freed = last.counted - counts.interactive - counts.background;
  if (untouched + freed > headerHeadroom(limit)) return now;
  if (slides) return counts.nextRelease ?? last.until + limit.windowMs / 12;
  return Math.min(counts.nextRelease ?? Number.POSITIVE_INFINITY, last.until + limit.windowMs / 30);
}

/** Requests always left to other users of the key, even when none are known. */
function headerHeadroom({ requests }: Limit): number {
  return Math.min(3, Math.floor(requests / 100));
}

/**
 * Tells whether one answer leaves so little that nobody may send a request, or only people. The estimate's peak already
 * includes this answer.
 */
export function leavesNoRoom(remaining: number, estimate: Pick<QuotaEstimate, 'limit' | 'peak'>): boolean {
  return remaining - headerHeadroom(estimate.limit) <= headerReserve(estimate);
}

/** The reserve against `Remaining`. A server with a small burst never shows more than that burst. */
function headerReserve({ limit, peak }: Pick<QuotaEstimate, 'limit' | 'peak'>): number {
  return peak === null ? reservedRequests(limit) : Math.min(reservedRequests(limit), peak.remaining / 2);
}
