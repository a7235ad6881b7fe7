import type { Clock } from '../clock.ts';

/** Looks at something again and again, one look at a time. */
export interface Looks {
  /** Looks now, or after the look under way; rejects where that fails, and the next one comes anyway. */
  now(): Promise<void>;
  /** Looks again within so many milliseconds. */
  within(ms: number): void;
  stop(): void;
}

/** The wait in ms after a look that failed. */
const AFTER_FAILURE = 500;

/** `failed` is called once for each row of failures. */
export function createLooks(parts: {
  readonly clock: Clock;
  readonly look: () => Promise<void>;
  readonly failed: (error: unknown) => void;
}): Looks {
  const { clock, look, failed } = parts;
  let nextAt = Number.POSITIVE_INFINITY;
  let [isStopped, isFailing] = [false, false];
  let cancel = (): void => {};
  let last: Promise<void> = Promise.resolve();

  function within(ms: number): void {
    const at = clock.monotonic() + ms;
    if (isStopped || at >= nextAt) return;
    cancel();
    nextAt = at;
    cancel = clock.after(ms, () => {
      nextAt = Number.POSITIVE_INFINITY;
      now().catch(() => {});
    });
  }

  async function once(): Promise<void> {
    try {
      await look();
      isFailing = false;
    } catch (error) {
      if (!isFailing) failed(error);
      isFailing = true;
      within(AFTER_FAILURE);
      throw error;
    }
  }

  function now(): Promise<void> {
    const done = last.then(once);
    last = done.catch(() => {});
    return done;
  }

  return {
    now,
    within,
    stop() {
      isStopped = true;
      cancel();
    },
  };
}
