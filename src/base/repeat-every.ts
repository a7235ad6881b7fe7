import { type Clock, resolveWithin } from './clock.ts';
import { createOutage } from './outage.ts';

/** Work that is repeated until it is stopped. */
export interface Repetition {
  /**
   * Begins a run at once or, while one is under way, another one after it, for all callers meanwhile. Resolves with
   * why it failed, which is reported all the same, or null.
   */
  now(): Promise<Failure | null>;
  /** The next run begins in `ms` at the latest. */
  within(ms: number): void;
  /** Begins no further run. Resolves when none is under way, after `patience` ms at the latest. */
  stop(patience?: number): Promise<void>;
}

interface Failure {
  readonly error: unknown;
}

/** How long a stop waits for the run under way, in ms. */
const PATIENCE = 500;

/**
 * Begins a run every `ms`, the first one after `ms`, and never two at once: a run that would begin during another one
 * is left out. `failed` is called once for several failures in a row; work that never fails needs none.
 */
export function repeatEvery(
  clock: Clock,
  ms: number,
  work: () => Promise<void>,
  failed: (error: unknown) => void = thrown,
): Repetition {
  const outage = createOutage(failed);
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
    const begun = clock.monotonic();
    const failure = await failureOf(work);
    isRunning = false;
    plan(begun + ms * Math.max(1, Math.ceil((clock.monotonic() - begun) / ms)));
    if (failure === null) outage.worked();
    else outage.failed(failure.error);
    return failure;
  }

  function now(): typeof last {
    if (isStopped) return Promise.resolve(null);
    if (!isRunning) {
      last = run();
      return last;
    }
    const again = (): typeof last => {
      next = null;
      return now();
    };
    next ??= last.then(again, again);
    return next;
  }

  plan(clock.monotonic() + ms);
  return {
    now,
    within: (soon) => plan(clock.monotonic() + soon),
    async stop(patience = PATIENCE) {
      isStopped = true;
      cancel();
      if (isRunning) await resolveWithin(last, patience, clock);
    },
  };
}

/** Without a place for it, a failure is an unhandled rejection. */
function thrown(error: unknown): never {
  throw error;
}

async function failureOf(work: () => Promise<void>): Promise<Failure | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return { error };
  }
}
