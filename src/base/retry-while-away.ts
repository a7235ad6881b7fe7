import { type Clock, sleep } from './clock.ts';
import { doublePause } from './duration.ts';

/** Longest time for which a start waits for a dependency: a PostgreSQL that starts together with the bot first recovers its data. */
export const START_TIMEOUT_MS = 15_000;
/** Pause between two attempts; it doubles from `first` up to `longest`, plus or minus a quarter. */
const PAUSE_MS = { first: 100, longest: 1000 };

interface RetryOptions {
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
  /** Time from now after which no attempt begins. */
  readonly timeoutMs?: number;
  /** Called once, with the error, if the first attempt fails. */
  readonly onFirstFailure: (error: unknown) => void;
  readonly isAway: (error: unknown) => boolean;
}

/** Repeats the work, which must be safe to repeat, while `isAway` holds for its error. Rejects with the last error. */
export async function retryWhileAway<Result>(
  work: () => Promise<Result>,
  { clock, timeoutMs = START_TIMEOUT_MS, onFirstFailure, isAway }: RetryOptions,
): Promise<Result> {
  const deadline = clock.monotonic() + timeoutMs;
  for (let attempts = 0; ; attempts += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isAway(error)) throw error;
      const remainingMs = deadline - clock.monotonic();
      if (remainingMs <= 0) throw error;
      if (attempts === 0) onFirstFailure(error);
      const pauseMs = doublePause(PAUSE_MS, attempts);
      const pause = Math.min(remainingMs, pauseMs * (0.75 + Math.random() / 2));
      await sleep(clock, pause);
    }
  }
}
