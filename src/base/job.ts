import { type Clock, resolveWithin } from './clock.ts';
import { createOutage } from './outage.ts';
import type { Runtime } from './runtime.ts';

/** Work that is repeated from its start to its stop. */
export type Job = ReturnType<typeof createJob>;

interface Failure {
  readonly error: unknown;
}

/** Longest time for which a stop waits for the run under way. */
const STOP_TIMEOUT_MS = 500;

/**
 * Runs work every `everyMs`, never twice at once: a run that would begin during another one is left out. Nothing runs before
 * the start, whoever asks for it. `onFailure` is called once for several failures in a row; work that never fails needs none.
 */
export function createJob(
  clock: Clock,
  everyMs: number,
  work: () => Promise<void>,
  onFailure: (error: unknown) => void = throwError,
) {
  const outage = createOutage(onFailure);
  let last: Promise<Failure | null> = Promise.resolve(null);
  let next: typeof last | null = null;
  let nextAt = Number.POSITIVE_INFINITY;
  let [isStarted, isRunning] = [false, false];
  let cancel = (): void => {};

  function plan(at: number): void {
    if (!isStarted || at >= nextAt) return;
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
    plan(startedAt + everyMs * Math.max(1, Math.ceil((clock.monotonic() - startedAt) / everyMs)));
    if (failure === null) outage.worked();
    else outage.failed(failure.error);
    return failure;
  }

  /**
   * Begins a run at once or, while one is under way, one more after it that all callers share. Resolves with the failure,
   * which is also reported, or null.
   */
  function now(): typeof last {
    if (!isStarted) return Promise.resolve(null);
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

  return {
    now,
    /** The next run begins in `delayMs` at the latest. */
    runWithin: (delayMs: number): void => plan(clock.monotonic() + delayMs),
    /** The first run begins after `delayMs`. Resolves as {@link now} does if it begins at once. */
    start(delayMs = 0): typeof last {
      isStarted = true;
      if (delayMs === 0) return now();
      plan(clock.monotonic() + delayMs);
      return last;
    },
    /** Begins no further run. Resolves when none is under way, after `timeoutMs` at the latest. */
    async stop(timeoutMs = STOP_TIMEOUT_MS): Promise<void> {
      isStarted = false;
      cancel();
      if (isRunning) await resolveWithin(last, timeoutMs, clock);
    },
  };
}

/** Starts jobs, which run until the end. The first runs begin after `delayMs`. */
export function startJobs(resources: Runtime['resources'], jobs: readonly Job[], delayMs = 0): void {
  for (const job of jobs) {
    resources.defer(() => job.stop());
    void job.start(delayMs);
  }
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
