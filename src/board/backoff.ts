/** How fast a board may go on, as plain data: after an edit, after a refusal, after a failure. */

/** Discord takes three edits in six seconds of a message older than an hour; a board makes two in so long. */
const WINDOW = 6500;
const WINDOW_LIMIT = 15_000;
/** The share of the window after which the second of the two may follow: a second, as long as all goes well. */
const GAP = 1 / 6.5;
/** What got no answer may still be done a little later; something newer must not come before it. */
const FIRST_PAUSE = 5000;
const PAUSE_LIMIT = 8000;
/** Discord bans an address after 10 000 answers of 401, 403 or 429 in ten minutes; a board stays below ten. */
const INVALID_LIMIT = 8;
const INVALID_WINDOW = 10 * 60_000;

/** All times are of the monotonic clock, in milliseconds. */
export interface Backoff {
  /** Nothing may be sent before, whatever else there is. */
  readonly closedUntil: number;
  /** Nothing may be edited before. */
  readonly nextEdit: number;
  readonly lastEdit: number;
  /** In which there are at most two edits. */
  readonly window: number;
  /** Before the next attempt after a failure. */
  readonly pause: number;
  /** When Discord last answered 401, 403 or 429. */
  readonly invalid: readonly number[];
}

export const newBackoff: Backoff = {
  closedUntil: 0,
  nextEdit: 0,
  lastEdit: Number.NEGATIVE_INFINITY,
  window: WINDOW,
  pause: FIRST_PAUSE,
  invalid: [],
};

/** Nothing may be sent before: because of the last failure, or of too many invalid requests. */
export function closedUntil(backoff: Backoff): number {
  const oldest = backoff.invalid.at(-INVALID_LIMIT);
  return oldest === undefined ? backoff.closedUntil : Math.max(backoff.closedUntil, oldest + INVALID_WINDOW);
}

/** Discord answered as it should. */
export function answered(backoff: Backoff): Backoff {
  return { ...backoff, pause: FIRST_PAUSE };
}

export function edited(backoff: Backoff, now: number): Backoff {
  const { lastEdit, window } = backoff;
  return {
    ...backoff,
    lastEdit: now,
    nextEdit: Math.max(now + window * GAP, lastEdit + window),
    window: Math.max(WINDOW, window * 0.95),
  };
}

/** `retryAfter` in milliseconds; `chance`, 0 to 1, so that many boards, or many bots, do not come back together. */
export function tooFast(backoff: Backoff, now: number, retryAfter: number, chance: number): Backoff {
  const window = Math.min(WINDOW_LIMIT, backoff.window * 2);
  return close({ ...backoff, window }, now, Math.max(retryAfter, jittered(window, chance)));
}

/** Discord answered 401, 403 or 429. */
export function invalid(backoff: Backoff, now: number): Backoff {
  const lately = backoff.invalid.filter((at) => now - at < INVALID_WINDOW);
  return { ...backoff, invalid: [...lately, now] };
}

/** Nobody knows what came of it. */
export function failed(backoff: Backoff, now: number, chance: number): Backoff {
  const closed = close(backoff, now, jittered(backoff.pause, chance));
  return { ...closed, pause: Math.min(PAUSE_LIMIT, backoff.pause * 2) };
}

/** For so many milliseconds nothing is sent. */
export function close(backoff: Backoff, now: number, ms: number): Backoff {
  return { ...backoff, closedUntil: Math.max(backoff.closedUntil, now + ms) };
}

function jittered(ms: number, chance: number): number {
  return ms * (0.75 + 0.25 * chance);
}
