import type { Clock } from '../base/clock.ts';
import { createOutage } from '../base/outage.ts';

/** Runs the same work again and again, one round at a time. */
export interface Rounds {
  /** Starts a round now, or after the one under way; rejects where it fails, and the next one comes anyway. */
  now(): Promise<void>;
  /** Starts the next round within so many milliseconds. */
  within(ms: number): void;
  stop(): void;
}

/** The wait in ms after a round that failed. */
const AFTER_FAILURE = 500;

/** `failed` is called once for several failures in a row. */
export function createRounds(parts: {
  readonly clock: Clock;
  readonly round: () => Promise<void>;
  readonly failed: (error: unknown) => void;
}): Rounds {
  const { clock, round, failed } = parts;
  const outage = createOutage(failed);
  let nextAt = Number.POSITIVE_INFINITY;
  let isStopped = false;
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
      await round();
      outage.worked();
    } catch (error) {
      outage.failed(error);
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
