import type { RateReport } from '../../errors.ts';
import { currentBound, type Limit, otherUsageAt, type QuotaEstimate } from './estimate.ts';
import { refusalPause, statedLimit, statedRemaining, untilReset } from './headers.ts';
import type { Counts, Permit } from './ledger/ledger-store.ts';

/** How much of a window passes before an answer without a usable Reset is asked for again by one probe. */
const UNDATED_SHARE = 1 / 12;
/** The service's window may have begun a little earlier than whole seconds tell. */
const EDGE_MS = 3000;

function isStricter(a: Limit, b: Limit): boolean {
  const byRate = a.requests / a.windowMs - b.requests / b.windowMs;
  return byRate < 0 || (byRate === 0 && a.requests < b.requests);
}

/**
 * A stricter limit counts at once; a looser one when the stricter has not been stated for a whole window, so that
 * of two limits that alternate the stricter holds. What was only assumed gives way to anything stated.
 */
function learnLimit(estimate: QuotaEstimate, stated: Limit | null, now: number): QuotaEstimate {
  if (stated === null) return estimate;
  const { limit, limitSeenAt } = estimate;
  const same = stated.requests === limit.requests && stated.windowMs === limit.windowMs;
  if (same) return { ...estimate, limitSeenAt: now };
  const outdated = limitSeenAt === null || now - limitSeenAt > limit.windowMs;
  if (!outdated && !isStricter(stated, limit)) return estimate;
  return { ...estimate, limit: stated, limitSeenAt: now, peak: null };
}

/** How long the highest `Remaining` is remembered, in windows: a busy day has a quiet hour. */
const PEAK_WINDOWS = 24;

function learnPeak(
  { peak, limit }: QuotaEstimate,
  remaining: number,
  now: number,
): NonNullable<QuotaEstimate['peak']> {
  const outdated = peak === null || now - peak.at > PEAK_WINDOWS * limit.windowMs;
  return outdated || remaining >= peak.remaining ? { remaining, at: now } : peak;
}

/**
 * What one answer says of the key's budget, taken into the estimate. `counts` are those from before the answer.
 * The headers only ever bound: nothing here makes the ledger forget a permit.
 */
export function learn(
  before: QuotaEstimate,
  answer: { readonly permit: Permit; readonly rate: RateReport | null },
  counts: Counts,
  now: number,
): QuotaEstimate {
  const { permit, rate } = answer;
  const probe = before.probe?.permit === permit.id ? null : before.probe;
  const estimate = learnLimit(
    { ...before, probe, refusedInRow: 0 },
    rate === null ? null : statedLimit(rate),
    now,
  );
  const { limit } = estimate;
  const remaining = rate === null ? null : statedRemaining(rate, limit);

  // Answers overtake each other: the bound belongs to the request that was sent last.
  const current = currentBound(estimate, now);
  if (current !== null && current.permit > permit.id) return estimate;

  // An answer that says nothing does not overrule one that did.
  if (remaining === null && current !== null) return estimate;
  const ahead = rate === null ? null : untilReset(rate, limit);
  const bound = {
    remaining,
    permit: permit.id,
    takenAt: permit.takenAt,
    at: now,
    until: now + (ahead ?? limit.windowMs * UNDATED_SHARE),
    since: ahead === null ? null : now + ahead - limit.windowMs - EDGE_MS,
    counted: Math.max(0, counts.interactive + counts.background - counts.inFlight),
  };
  if (remaining === null) return { ...estimate, bound };

  const peak = learnPeak(estimate, remaining, now);
  // Beyond all that we may have sent. The highest Remaining was seen after one request had been counted.
  const beyond = peak.remaining + 1 - remaining - counts.sinceReset;
  const known = otherUsageAt(estimate, now);
  const otherUsage = beyond >= known ? { amount: Math.max(0, beyond), at: now } : estimate.otherUsage;
  const crossedReset = current === null && estimate.bound !== null && estimate.bound.since !== null;
  const slides = crossedReset ? remaining < limit.requests / 2 : estimate.slides;
  return { ...estimate, peak, otherUsage, slides, bound };
}

/**
 * A refusal: nothing is left until the gate opens again, and since our own permits have kept within the limit,
 * somebody else must have spent it.
 */
export function learnRefusal(
  before: QuotaEstimate,
  refusal: { readonly permit: Permit; readonly rate: RateReport | null },
  counts: Counts,
  now: number,
): QuotaEstimate {
  const estimate = learn(before, refusal, counts, now);
  const closedUntil = Math.max(estimate.closedUntil, now + refusalPause(refusal.rate, estimate.limit));
  const otherUsage = otherUsageAt(estimate, now) < 1 ? { amount: 1, at: now } : estimate.otherUsage;
  const { id, takenAt } = refusal.permit;
  const counted = Math.max(0, counts.interactive + counts.background - counts.inFlight);
  const bound = { remaining: 0, permit: id, takenAt, at: now, until: closedUntil, since: null, counted };
  const refusals = before.refusals + 1;
  // Those that were under way when the gate closed tell nothing new.
  const refusedInRow = before.closedUntil > now ? before.refusedInRow : before.refusedInRow + 1;
  return { ...estimate, otherUsage, bound, closedUntil, refusals, refusedInRow };
}
