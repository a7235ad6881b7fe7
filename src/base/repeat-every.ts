import { type Clock, resolveWithin } from './clock.ts';
import { createOutage } from './outage.ts';

/** Work that is repeated until it is stopped. */
export type Repetition = ReturnType<typeof repeatEvery>;

interface Failure {
  readonly error: unknown;
}

/** Longest time for which a stop waits for the run under way. */
const STOP_TIMEOUT_MS = 500;

/**
 * Begins a run every `ms`, the first one after `ms`, and never two at once: a run that would begin during another one
 * is left out. `onFailure` is called once for several failures in a row; work that never fails needs none.
 */
export function repeatEvery(
  clock: Clock,
  ms: number,
  work: () => Promise<void>,
  onFailure: (error: unknown) => void = throwError,
) {
  const outage = createOutage(onFailure);
  let last: Promise<Failure | null> = Promise.resolve(null);
  let next: typeof last | null = null;
  let nextAt = Number.POSITIVE_INFINITY;
  let [isRunning, isStopped] = [false, false];
  let cancel = (): void => {};

  function plan(at: number): void {
    if (isStopped || at >= nextAt) return;
    cancel();
    nextAt = at;
    cancel = clock.after(Math.max(0, at - clock.monotonic()), () => {
      nextAt = Number.POSITIVE_INFINITY;
      void now();
    });
  }

  async function run(): Promise<Failure | null> {
    isRunning = true;
    cancel();
    nextAt = Number.POSITIVE_INFINITY;
    const startedAt = clock.monotonic();
    const failure = await catchFailure(work);
    isRunning = false;
    plan(startedAt + ms * Math.max(1, Math.ceil((clock.monotonic() - startedAt) / ms)));
    if (failure === null) outage.worked();
    else outage.failed(failure.error);
    return failure;
  }

  /**
   * Begins a run at once or, while one is under way, one more after it that all callers share. Resolves with the failure,
   * which is also reported, or null.
   */
  function now(): typeof last {
    if (isStopped) return Promise.resolve(null);
    if (!isRunning) {
      last = run();
      return last;
    }
    const runNext = (): typeof last => {
      next = null;
      return now();
    };
    next ??= last.then(runNext, runNext);
    return next;
  }

  plan(clock.monotonic() + ms);
  return {
    now,
    /** The next run begins in `delayMs` at the latest. */
    runWithin: (delayMs: number): void => plan(clock.monotonic() + delayMs),
    /** Begins no further run. Resolves when none is under way, after `timeoutMs` at the latest. */
    async stop(timeoutMs = STOP_TIMEOUT_MS): Promise<void> {
      isStopped = true;
      cancel();
      if (isRunning) await resolveWithin(last, timeoutMs, clock);
    },
  };
}

/** Makes a failure without a handler an unhandled rejection. */
function throwError(error: unknown): never {
  throw error;
}

async function catchFailure(work: () => Promise<void>): Promise<Failure | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return { error };
  }
}
