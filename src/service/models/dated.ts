import { MINUTE, SECOND } from '../../base/duration.ts';
import type { Fault, ServiceError } from '../../base/errors.ts';

/** A record, and when it was true. */
export interface Dated<T> {
  readonly record: T;
  /** Unix milliseconds, by the data's own clock where it has one. */
  readonly asOf: number;
}

/** Why a record is an older one: no newer one could be had, came in time, or was within the asker's share. */
export type Stale = Fault | 'slow' | 'share' | 'refused' | 'frozen';

/** `refused`: the service accepts no requests, whatever is left by our own count. */
export function whyOld({
  fault,
  share = null,
  refusal = null,
}: Pick<ServiceError, 'fault'> & Partial<Pick<ServiceError, 'share' | 'refusal'>>): Stale {
  if (share !== null) return 'share';
  return fault === 'over-budget' && refusal === 'limit' ? 'refused' : fault;
}

/** Answer to a call to the data service. */
export interface Answer<T> extends Dated<T> {
  /** Null: it is current. */
  readonly stale: Stale | null;
}

/**
 * How a source is refreshed.
 * - `live`: a file that changes every second and states its own time.
 * - `polled`: requested once a minute, or every five minutes while the budget is short.
 */
export type Pace = 'live' | 'polled';

/** `stale` is shown with its age, `no-data` not at all. */
type Freshness = 'live' | 'stale' | 'no-data';

const STALE_AFTER_MS: Readonly<Record<Pace, number>> = { live: 45 * SECOND, polled: 6 * MINUTE };
/** Limit for a polled record whose last request failed: a newer record is due, and may well differ. */
const FAILED_STALE_AFTER_MS = 2 * MINUTE;
const NO_DATA_AFTER_MS = 15 * MINUTE;

interface Judgeable extends Pick<Answer<unknown>, 'asOf'>, Partial<Pick<Answer<unknown>, 'stale'>> {
  /** Why the last attempt to read it again gave nothing newer. */
  readonly unread?: Stale | undefined;
}

/** A live file that is answered and stands still is an old one, too. `now` in unix milliseconds. */
export function orFrozen<T>(answer: Answer<T>, now: number): Answer<T> {
  const isFrozen = answer.stale === null && judgeFreshness(answer, 'live', now) !== 'live';
  return isFrozen ? { ...answer, stale: 'frozen' } : answer;
}

/**
 * How old a record is, the one rule for answers, boards, cards, alerts, the status line and the doctor. `now` in unix
 * milliseconds.
 */
export function judgeFreshness(
  { asOf, stale = null, unread }: Judgeable,
  pace: Pace,
  now: number,
): Freshness {
  const age = now - asOf;
  if (age > NO_DATA_AFTER_MS) return 'no-data';
  // A live file of some seconds ago is as good as the next one, which is only slow to come.
  const isKept = stale !== null && !(pace === 'live' && stale === 'slow');
  // Nothing was asked where the budget is short, so that nothing has failed.
  const hasFailed = unread !== undefined && unread !== 'over-budget' && unread !== 'refused';
  return isKept ||
    age > (hasFailed ? Math.min(FAILED_STALE_AFTER_MS, STALE_AFTER_MS[pace]) : STALE_AFTER_MS[pace])
    ? 'stale'
    : 'live';
}
