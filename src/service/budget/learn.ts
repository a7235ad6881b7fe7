import type { RateReport } from '../rate-report.ts';
import type { Counts, Permit } from './book.ts';
import { statedLimit, statedRemaining, untilReset } from './headers.ts';
import { currentBound, foreignUse, type Limit, type Standing } from './standing.ts';

/** How much of a window passes before an answer without a usable Reset is asked for again by one probe. */
const UNDATED_SHARE = 1 / 12;

function isStricter(a: Limit, b: Limit): boolean {
  const byRate = a.requests / a.windowMs - b.requests / b.windowMs;
  return byRate < 0 || (byRate === 0 && a.requests < b.requests);
}

/**
 * A stricter limit counts at once; a looser one when the stricter has not been stated for a whole window, so that
 * of two limits that alternate the stricter holds. What was only assumed gives way to anything stated.
 */
function learnLimit(standing: Standing, stated: Limit | null, now: number): Standing {
  if (stated === null) return standing;
  const { limit, limitSeenAt } = standing;
  const same = stated.requests === limit.requests && stated.windowMs === limit.windowMs;
  if (same) return { ...standing, limitSeenAt: now };
  const outdated = limitSeenAt === null || now - limitSeenAt > limit.windowMs;
  if (!outdated && !isStricter(stated, limit)) return standing;
  return { ...standing, limit: stated, limitSeenAt: now, peak: null };
}

/** The highest Remaining is kept for two windows, so that at least one whole window is always behind it. */
function learnPeak(standing: Standing, remaining: number, now: number): Standing['peak'] {
  const { peak, limit } = standing;
  const higher = peak === null || remaining >= peak.remaining || now - peak.at > 2 * limit.windowMs;
  return higher ? { remaining, at: now } : peak;
}

/**
 * What one answer says of the key's budget, taken into the standing. `counts` are those from before the answer.
 * The headers only ever bound: nothing here makes the ledger forget a permit.
 */
export function learn(
  before: Standing,
  answer: { readonly permit: Permit; readonly rate: RateReport | null },
  counts: Counts,
  now: number,
): Standing {
  const { permit, rate } = answer;
  const probe = before.probe?.permit === permit.id ? null : before.probe;
  const standing = learnLimit({ ...before, probe }, rate === null ? null : statedLimit(rate), now);
  const { limit } = standing;
  const remaining = rate === null ? null : statedRemaining(rate, limit);

  // Answers overtake each other: the bound belongs to the request that was sent last.
  const current = currentBound(standing, now);
  if (current !== null && current.permit > permit.id) return standing;

  const reset = rate === null ? null : untilReset(rate, limit);
  const undated = limit.windowMs * UNDATED_SHARE;
  if (remaining === null) {
    // An answer that says nothing does not overrule one that did.
    if (current !== null) return standing;
    const bound = { remaining, permit: permit.id, takenAt: permit.takenAt, at: now, until: now + undated };
    return { ...standing, bound };
  }

  const peak = learnPeak(standing, remaining, now);
  // What the server has counted beyond all that we may have sent; `peak` left out the probed request itself.
  const beyond = (peak?.remaining ?? remaining) + 1 - remaining - counts.interactive - counts.background;
  const foreign =
    beyond >= foreignUse(standing, now) ? { amount: Math.max(0, beyond), at: now } : standing.foreign;
  const until =
    now + (reset ?? undated) + shortfallPause(foreignUse({ foreign, limit }, now), remaining, limit);
  return {
    ...standing,
    peak,
    foreign,
    bound: { remaining, permit: permit.id, takenAt: permit.takenAt, at: now, until },
  };
}

/** Requests that are left to others on the same key when little remains: they may be on their way right now. */
export const FOREIGN_HEADROOM = 3;

/**
 * A sliding window frees one request at its reset, and another user of the key may take it first. Where there is
 * one, and less than the headroom remains, we wait for as many more to be freed as are lacking.
 */
function shortfallPause(foreign: number, remaining: number, limit: Limit): number {
  if (foreign < 1) return 0;
  const lacking = Math.max(0, FOREIGN_HEADROOM - remaining);
  return (lacking * 1.5 * limit.windowMs) / limit.requests;
}
