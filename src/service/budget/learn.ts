import { HOUR, MINUTE } from '../../base/duration.ts';
import type { RateReport } from '../../base/errors.ts';
import { leavesNoRoom, leftByHeaders, reservedRequests } from './admission.ts';
import { currentBound, type Limit, otherUsageAt, type QuotaEstimate } from './estimate.ts';
import { refusalPause, statedLimit, statedRemaining, untilReset } from './headers.ts';
import type { Counts, LedgerSnapshot, Permit } from './ledger/ledger-store.ts';

/** The part of a window after which a probe follows an answer without a usable Reset. */
const UNDATED_WINDOW_SHARE = 1 / 12;
/** The service's window may begin a little earlier than its whole seconds show. */
const WINDOW_EDGE_MS = 3000;

function isStricter(a: Limit, b: Limit): boolean {
  const byRate = a.requests / a.windowMs - b.requests / b.windowMs;
  return byRate < 0 || (byRate === 0 && a.requests < b.requests);
}

function isSame(a: Limit, b: Limit): boolean {
  return a.requests === b.requests && a.windowMs === b.windowMs;
}

/** Time for which a single answer that stops everything, or contradicts all others, is obeyed: then one request checks it. */
const ONE_WITNESS_MS = MINUTE;
/** Time for which the first of two agreeing answers is remembered. */
const WITNESS_MS = 2 * HOUR;

/**
 * A stricter limit applies at once, at first on trial: one wrong header must not close the bot for the week that it
 * claims. A looser one applies when the stricter one has not been stated for a whole window, so that the stricter
 * of two alternating limits holds. An assumed limit gives way to a looser one at once.
 */
function learnLimit(estimate: QuotaEstimate, { permit, rate }: AnsweredPermit, now: number): QuotaEstimate {
  const stated = rate === null ? null : statedLimit(rate);
  if (stated === null) return estimate;
  const { limit, limitSeenAt, trial } = estimate;
  if (isSame(stated, limit)) return { ...estimate, limitSeenAt: now };
  const relearned = { ...estimate, limit: stated, limitSeenAt: now, peak: null };
  if (!isStricter(stated, limit)) {
    const isOutdated = limitSeenAt === null || now - limitSeenAt > limit.windowMs;
    return isOutdated ? relearned : estimate;
  }
  if (trial !== null && now - trial.seenAt <= WITNESS_MS) {
    if (isSame(stated, trial.limit))
      return permit.takenAt >= trial.seenAt ? { ...relearned, trial: null } : estimate;
    if (isStricter(trial.limit, stated)) return estimate;
  }
  return { ...estimate, trial: { limit: stated, seenAt: now, until: now + ONE_WITNESS_MS } };
}

/** One answer's headers, and the permit of its request. */
interface AnsweredPermit {
  readonly permit: Permit;
  readonly rate: RateReport | null;
}

/** A check that gets no answer is repeated after the same time as the first. */
export function beginProbe(
  estimate: QuotaEstimate,
  probe: NonNullable<QuotaEstimate['probe']>,
  now: number,
): QuotaEstimate {
  const { bound } = estimate;
  if (bound === null || bound.check === null) return { ...estimate, probe };
  return { ...estimate, probe, bound: { ...bound, check: { ...bound.check, at: now + ONE_WITNESS_MS } } };
}

/** A probe ends with its own request. */
export function endProbe(estimate: QuotaEstimate, { id }: Permit): QuotaEstimate {
  return estimate.probe?.permit === id ? { ...estimate, probe: null } : estimate;
}

/** Number of windows for which the highest `Remaining` is remembered: even a busy day has a quiet hour. */
const PEAK_WINDOWS = 24;

function learnPeak(
  { peak, limit }: QuotaEstimate,
  remaining: number,
  now: number,
): NonNullable<QuotaEstimate['peak']> {
  const outdated = peak === null || now - peak.at > PEAK_WINDOWS * limit.windowMs;
  return outdated || remaining >= peak.remaining ? { remaining, at: now } : peak;
}

/** Next to nothing is left all at once, although the last answer of the same window left much. */
function contradicts(remaining: number, snapshot: LedgerSnapshot): boolean {
  const expected = leftByHeaders(snapshot);
  const much = reservedRequests(snapshot.estimate.limit);
  return expected !== null && remaining < much && expected - remaining > much;
}

/** The request was sent to check an answer that said, alone, that next to nothing is left. */
function isCheck(previous: QuotaEstimate, { id }: Permit, now: number): boolean {
  return previous.probe?.permit === id && (currentBound(previous, now)?.check ?? null) !== null;
}

/** The latest answer but this one already said that next to nothing is left, in this window or just before its reset. */
function hasWitness({ bound, refusedInRow }: QuotaEstimate, permit: Permit, now: number): boolean {
  if (refusedInRow > 0) return true;
  if (bound === null || bound.remaining === null) return false;
  if (bound.until > now) return bound.check === null || permit.takenAt >= bound.at;
  // A sliding window states a new reset with each answer.
  return bound.check !== null && bound.until <= bound.check.at;
}

/**
 * Updates the estimate from one answer. `counts` are those from before the answer. Headers only ever lower what is
 * allowed: nothing here makes the ledger forget a permit.
 */
export function learnFromAnswer(
  previous: QuotaEstimate,
  answer: AnsweredPermit,
  counts: Counts,
  now: number,
): QuotaEstimate {
  const { permit, rate } = answer;
  const estimate = { ...learnLimit(endProbe(previous, permit), answer, now), refusedInRow: 0 };
  const { limit } = estimate;
  const remaining = rate === null ? null : statedRemaining(rate, limit);

  // Answers overtake each other: the bound comes from the request that was sent last.
  const current = currentBound(estimate, now);
  if (current !== null && current.permit > permit.id) return estimate;

  // An answer without Remaining does not replace one that had it, unless that one left nothing for this request.
  if (remaining === null && current !== null && !isCheck(previous, permit, now)) return estimate;
  const resetMs = rate === null ? null : untilReset(rate, limit);
  const peak = remaining === null ? estimate.peak : learnPeak(estimate, remaining, now);
  const isDoubtful =
    remaining !== null &&
    (contradicts(remaining, { estimate, counts, now }) ||
      (leavesNoRoom(remaining, { limit, peak }) && !hasWitness(previous, permit, now)));
  const last = estimate.bound;
  const isAfterReset =
    current === null ? last !== null && last.since !== null : (current.check?.afterReset ?? false);
  const bound = {
    remaining,
    permit: permit.id,
    takenAt: permit.takenAt,
    at: now,
    until: now + (resetMs ?? limit.windowMs * UNDATED_WINDOW_SHARE),
    since: resetMs === null ? null : now + resetMs - limit.windowMs - WINDOW_EDGE_MS,
    counted: Math.max(0, counts.interactive + counts.background - counts.inFlight),
    check: isDoubtful ? { at: current?.check?.at ?? now + ONE_WITNESS_MS, afterReset: isAfterReset } : null,
  };
  // A doubtful Remaining says nothing of others before a second answer agrees.
  if (remaining === null || isDoubtful) return { ...estimate, bound };

  // Requests that others must have sent. The highest Remaining was seen after one request had been counted.
  const unexplained = (peak?.remaining ?? 0) + 1 - remaining - counts.sinceReset;
  const estimatedUsage = otherUsageAt(estimate, now);
  const otherUsage =
    unexplained >= estimatedUsage ? { amount: Math.max(0, unexplained), at: now } : estimate.otherUsage;
  const slides = isAfterReset ? remaining < limit.requests / 2 : estimate.slides;
  return { ...estimate, peak, otherUsage, slides, bound };
}

/**
 * A refusal: nothing is left until its pause ends. Our own permits stayed within the limit, so someone else must
 * have spent it. The first in a row is believed for a minute at most, since one wrong answer must not close the key for
 * the hour that it names; then one request probes, and a second refusal is believed as it stands.
 */
export function learnRefusal(
  previous: QuotaEstimate,
  refusal: AnsweredPermit,
  counts: Counts,
  now: number,
): QuotaEstimate {
  // The Remaining of a refusal is 0 whatever the cause. Read as other people's usage, it would stop pollers for much of a
  // window.
  const estimate = learnLimit(endProbe(previous, refusal.permit), refusal, now);
  const { id, takenAt } = refusal.permit;
  // Requests under way when the pause began add nothing.
  const isUnderWay = previous.refusedInRow > 0 && previous.closedUntil > takenAt;
  // A refused check agrees with the answer that it checks: they are two.
  const isSecond = isCheck(previous, refusal.permit, now);
  const refusedInRow = previous.refusedInRow + (isUnderWay ? 0 : isSecond ? 2 : 1);
  const statedReset = isSecond ? currentBound(previous, now)?.until : undefined;
  const unstatedMs = statedReset === undefined ? MINUTE : statedReset - now;
  const statedPause = refusalPause(refusal.rate, estimate.limit, unstatedMs);
  const pause = refusedInRow === 1 ? Math.min(statedPause, ONE_WITNESS_MS) : statedPause;
  const closedUntil = Math.max(estimate.closedUntil, now + pause);
  const otherUsage = otherUsageAt(estimate, now) < 1 ? { amount: 1, at: now } : estimate.otherUsage;
  const counted = Math.max(0, counts.interactive + counts.background - counts.inFlight);
  const bound = {
    remaining: 0,
    permit: id,
    takenAt,
    at: now,
    until: closedUntil,
    since: null,
    counted,
    check: null,
  };
  return { ...estimate, otherUsage, bound, closedUntil, refusals: previous.refusals + 1, refusedInRow };
}
