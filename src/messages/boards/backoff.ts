/** A board's request limits as plain data: after an edit, a refusal, a failure. */
import { MINUTE } from '../../base/duration.ts';
import { BUSY_GAP_MS, EDIT_RULE } from './edit-rule.ts';

const { windowMs: WINDOW, maxWindowMs: WINDOW_LIMIT, gapMs } = EDIT_RULE;
/** The least wait after a first refusal, in ms: most are over within a second. */
const FIRST_REFUSAL = 2000;
/** The part of a window between its two edits. */
const GAP = { first: gapMs / WINDOW, busy: BUSY_GAP_MS / WINDOW };
/** An edit that came no later than this after it was allowed had been waiting for that (ms). */
const HELD_UP = 500;
/** A request without an answer may still take effect a little later; a newer one must not overtake it. */
const FIRST_PAUSE = 5000;
const PAUSE_LIMIT = 8000;
/** Discord bans an IP address after 10 000 responses of 401, 403 or 429 in ten minutes; a board stays below ten. */
const INVALID_LIMIT = 8;
const INVALID_WINDOW = 10 * MINUTE;

/** Times of the monotonic clock, in ms. */
export interface Backoff {
  /** No request of any kind before this. */
  readonly closedUntil: number;
  /** No edit before this. */
  readonly nextEdit: number;
  readonly lastEdit: number;
  /** The window that allows two edits. */
  readonly window: number;
  /** The wait before the next attempt after a failure. */
  readonly pause: number;
  /** When Discord last answered 401, 403 or 429. */
  readonly invalid: readonly number[];
}

export const newBackoff: Backoff = {
  closedUntil: 0,
  nextEdit: Number.NEGATIVE_INFINITY,
  lastEdit: Number.NEGATIVE_INFINITY,
  window: WINDOW,
  pause: FIRST_PAUSE,
  invalid: [],
};

/** No request before this time, because of the last failure or of too many invalid requests. */
export function closedUntil(backoff: Backoff): number {
  const oldest = backoff.invalid.at(-INVALID_LIMIT);
  return oldest === undefined ? backoff.closedUntil : Math.max(backoff.closedUntil, oldest + INVALID_WINDOW);
}

/** After a normal answer from Discord. */
export function noteAnswer(backoff: Backoff): Backoff {
  return { ...backoff, pause: FIRST_PAUSE };
}

export function noteEdit(backoff: Backoff, now: number): Backoff {
  const { lastEdit, nextEdit, window } = backoff;
  const gap = now - nextEdit < HELD_UP ? GAP.busy : GAP.first;
  return {
    ...backoff,
    lastEdit: now,
    nextEdit: Math.max(now + window * gap, lastEdit + window),
    window: Math.max(WINDOW, window * 0.95),
  };
}

/** After an edit of the times alone: news may follow at once, but both are in the window that allows two edits. */
export function noteRenewal(backoff: Backoff, now: number): Backoff {
  return { ...backoff, lastEdit: now };
}

/**
 * `retryAfter` in ms, as Discord says: enough where all went well before. Where it refused lately, waiting as it says was
 * too short. `chance`, 0 to 1, spreads the retries of many boards and bots.
 */
export function tooFast(backoff: Backoff, now: number, retryAfter: number, chance: number): Backoff {
  const window = Math.min(WINDOW_LIMIT, backoff.window * 2);
  const isFirst = backoff.window === WINDOW && retryAfter > 0;
  const atLeast = jittered(isFirst ? FIRST_REFUSAL : window, chance);
  return closeFor({ ...backoff, window }, now, Math.max(retryAfter, atLeast));
}

/** Discord answered 401, 403 or 429. */
export function noteInvalid(backoff: Backoff, now: number): Backoff {
  const recentInvalid = backoff.invalid.filter((at) => now - at < INVALID_WINDOW);
  return { ...backoff, invalid: [...recentInvalid, now] };
}

/** After a request with unknown outcome. */
export function noteFailure(backoff: Backoff, now: number, chance: number): Backoff {
  const closedBackoff = closeFor(backoff, now, jittered(backoff.pause, chance));
  return { ...closedBackoff, pause: Math.min(PAUSE_LIMIT, backoff.pause * 2) };
}

export function closeFor(backoff: Backoff, now: number, ms: number): Backoff {
  return { ...backoff, closedUntil: Math.max(backoff.closedUntil, now + ms) };
}

function jittered(ms: number, chance: number): number {
  return ms * (0.75 + 0.25 * chance);
}
