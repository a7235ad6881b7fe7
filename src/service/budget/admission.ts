import type { Priority } from '../endpoints.ts';
import { currentBound, type Limit, limitInForce, otherUsageAt, type QuotaEstimate } from './estimate.ts';
import type { LedgerSnapshot } from './ledger/ledger-store.ts';

/**
 * Why there is no permit now.
 * - `closed`: the service has refused us and said for how long.
 * - `spent`: our own permits in force are the whole limit.
 * - `headers`: the service says that nothing is left.
 * - `probe`: nothing is known of the current window, and one request is finding out.
 * - `reserve`: what is left is kept for people. `pace`: the last background request was too short a time ago.
 */
export type Reason = 'closed' | 'spent' | 'headers' | 'probe' | 'reserve' | 'pace';

export type Admission =
  | { readonly granted: true; readonly probe: boolean }
  | { readonly granted: false; readonly reason: Reason; readonly retryAt: number };

/** How soon to look again where an answer that is under way will tell more. */
const LOOK_AGAIN_MS = 250;

/** The part of the limit that background requests leave to people. */
export function reserve({ requests }: Limit): number {
  return requests / 6;
}

/** The least time between two background requests: what pollers may use in a window, spread evenly over it. */
export function backgroundPace(limit: Limit): number {
  return limit.windowMs / (limit.requests - reserve(limit));
}

/** What the headers leave now, by the lowest reading: null where they set no bound. */
export function leftByHeaders({ now, estimate, counts }: LedgerSnapshot): number | null {
  const bound = currentBound(estimate, now);
  if (bound === null || bound.remaining === null) return null;
  return bound.remaining - counts.uncounted - otherUsageAllowance(estimate, now - bound.at, now);
}

/**
 * What others may have taken since the bound was stated: what they use on average, four standard deviations more
 * as independent requests scatter, and a few that may be on their way.
 */
function otherUsageAllowance(estimate: QuotaEstimate, age: number, now: number): number {
  const expected = (otherUsageAt(estimate, now) * age) / estimate.limit.windowMs;
  return headerHeadroom(estimate.limit) + Math.ceil(expected + 4 * Math.sqrt(expected));
}

/** How many permits there may be in force, even of a key that is all headroom. See {@link admit}. */
function permitsAtMost({ requests }: Limit, headroom: number): number {
  return Math.max(1, requests - headroom);
}

/** How many of them the background may have: what people have not needed lately, others do not use and nobody keeps. */
function backgroundShare({ now, estimate, counts }: LedgerSnapshot, headroom: number): number {
  const limit = limitInForce(estimate, now);
  const people = Math.max(counts.interactiveLately, 4 * counts.interactiveQuarter);
  return permitsAtMost(limit, headroom) - people - otherUsageAt(estimate, now) - reserve(limit);
}

/** How many requests the background could send now, one after the other. */
export function leftForBackground(snapshot: LedgerSnapshot, headroom: number): number {
  const { now, estimate, counts } = snapshot;
  const limit = limitInForce(estimate, now);
  const unreserved = permitsAtMost(limit, headroom) - reserve(limit) - counts.interactive - counts.background;
  const share = backgroundShare(snapshot, headroom) - counts.background;
  const byHeaders = leftByHeaders(snapshot) ?? Number.POSITIVE_INFINITY;
  return Math.max(0, Math.ceil(Math.min(unreserved, share, byHeaders - headerReserve(estimate))));
}

/**
 * Whether one more request may be sent now. `headroom` is a part of the limit that is never spent, for a store
 * that can lose what was written last.
 */
export function admit(kind: Priority, snapshot: LedgerSnapshot, headroom: number): Admission {
  const { now, estimate, counts } = snapshot;
  const limit = limitInForce(estimate, now);
  // A limit that turns out not to be one ends what was only waited for because of it.
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
  const left = leftByHeaders(snapshot);
  const kept = kind === 'interactive' ? 0 : headerReserve(estimate);
  if (bound !== null && left !== null && left <= kept)
    return wait('headers', counts.inFlight > 0 ? now + LOOK_AGAIN_MS : bound.until);

  if (kind === 'background') {
    const even = (counts.lastBackgroundAt ?? Number.NEGATIVE_INFINITY) + backgroundPace(limit);
    if (even > now) return wait('pace', even);
    // What people ask may change before anything is released, but not by much.
    const later = now + backgroundPace(limit);
    if (spent >= atMost - reserve(limit)) return wait('reserve', Math.max(counts.nextRelease ?? 0, later));
    if (counts.background >= backgroundShare(snapshot, headroom))
      return wait('reserve', Math.max(counts.nextBackgroundRelease ?? 0, later));
  }

  if (bound !== null) return { granted: true, probe: false };
  const ready = probeAt(snapshot);
  if (ready > now) return wait('headers', ready);
  const { probe } = estimate;
  if (probe !== null && probe.until > now) return wait('probe', Math.min(probe.until, now + LOOK_AGAIN_MS));
  return { granted: true, probe: true };
}

/**
 * When to find out how much is left after a reset. With others on the key a sliding window frees one request at its
 * reset and may give it to them: then we wait until enough of our own have been freed since. Where it is
 * not known to slide that is not waited for long.
 */
function probeAt({ now, estimate, counts }: LedgerSnapshot): number {
  const { bound: last, limit, slides } = estimate;
  if (last === null || last.remaining === null || otherUsageAt(estimate, now) < 1) return now;
  // The service has said when to come again. Where that has proved wrong, we know better.
  if (estimate.refusedInRow === 1 && !slides) return now;
  const untouched = Math.max(0, last.remaining - otherUsageAllowance(estimate, now - last.at, now));
  const freed = last.counted - counts.interactive - counts.background;
  if (untouched + freed > headerHeadroom(limit)) return now;
  if (slides) return counts.nextRelease ?? last.until + limit.windowMs / 12;
  return Math.min(counts.nextRelease ?? Number.POSITIVE_INFINITY, last.until + limit.windowMs / 30);
}

/** Requests that are always left to others on the same key, which none may be known to use yet. */
function headerHeadroom({ requests }: Limit): number {
  return Math.min(3, Math.floor(requests / 100));
}

/** The reserve against `Remaining`: a server whose burst is small never shows more than that. */
function headerReserve({ limit, peak }: QuotaEstimate): number {
  return peak === null ? reserve(limit) : Math.min(reserve(limit), peak.remaining / 2);
}
