/** How fast a board may go on: after an edit, after a refusal, after a failure. */

/** At most two edits in any six seconds, where chat takes three. */
const FLOOR = 4000;
const FLOOR_LIMIT = 15_000;
/** What got no answer may still be done a little later; something newer must not come before it. */
const FIRST_PAUSE = 5000;
const PAUSE_LIMIT = 8000;
/** 401, 403 and 429 count towards a ban of the address (field notes §3); a board stays below ten in ten minutes. */
const INVALID_LIMIT = 8;
const INVALID_WINDOW = 10 * 60_000;

/** All times are of the monotonic clock. */
export interface Pace {
  /** Nothing may be sent before. */
  readonly closedUntil: number;
  /** Nothing may be edited before. */
  readonly nextEdit: number;
  /** Chat answered as it should. */
  done(): void;
  edited(now: number): void;
  /** `retryAfter` in milliseconds. */
  tooFast(now: number, retryAfter: number): void;
  /** Chat answered 401, 403 or 429. */
  invalid(now: number): void;
  /** Nobody knows what came of it. */
  failed(now: number): void;
  /** For so many milliseconds nothing is sent. */
  close(now: number, ms: number): void;
  /** Whatever was closed is open again; what would be too many invalid requests is not. */
  reopen(): void;
}

export function createPace(random: () => number): Pace {
  let closedUntil = 0;
  let nextEdit = 0;
  let floor = FLOOR;
  let pause = FIRST_PAUSE;
  let invalid: readonly number[] = [];

  /** So that many boards, or many bots, do not come back together. */
  const jittered = (ms: number): number => ms * (0.75 + 0.25 * random());
  const close = (now: number, ms: number): void => {
    closedUntil = Math.max(closedUntil, now + ms);
  };

  return {
    get closedUntil() {
      const [oldest] = invalid.slice(-INVALID_LIMIT);
      const full = invalid.length >= INVALID_LIMIT && oldest !== undefined;
      return full ? Math.max(closedUntil, oldest + INVALID_WINDOW) : closedUntil;
    },
    get nextEdit() {
      return nextEdit;
    },
    done() {
      pause = FIRST_PAUSE;
    },
    edited(now) {
      pause = FIRST_PAUSE;
      nextEdit = now + floor;
      floor = Math.max(FLOOR, floor * 0.95);
    },
    tooFast(now, retryAfter) {
      floor = Math.min(FLOOR_LIMIT, floor * 2);
      close(now, Math.max(retryAfter, jittered(floor)));
    },
    invalid(now) {
      invalid = [...invalid.filter((at) => now - at < INVALID_WINDOW), now];
    },
    failed(now) {
      close(now, jittered(pause));
      pause = Math.min(PAUSE_LIMIT, pause * 2);
    },
    close,
    reopen() {
      closedUntil = 0;
    },
  };
}
