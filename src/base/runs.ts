import { type Clock, resolveWithin } from './clock.ts';
import { createOutage } from './outage.ts';

export type Runs = ReturnType<typeof createRuns>;

/** Longest time for which a stop waits for the runs under way. */
const STOP_TIMEOUT_MS = 500;

/**
 * Background work, at most one run at a time for each key. Runs of different keys never wait for each other, so that one slow
 * server delays no other. `onFailure` is called once for several failures in a row.
 */
export function createRuns(clock: Pick<Clock, 'after'>, onFailure: (error: unknown) => void) {
  const outage = createOutage(onFailure);
  const underWay = new Map<string, Promise<void>>();
  let isStopped = false;

  /** Resolves when no run is under way. */
  async function idle(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay.values());
  }

  return {
    /** Starts the work, unless a run of that key is under way. */
    start(key: string, work: () => Promise<void>): void {
      if (isStopped || underWay.has(key)) return;
      const run = work()
        .then(outage.worked, (error) => {
          // The store may be closed by then.
          if (!isStopped) outage.failed(error);
        })
        .finally(() => underWay.delete(key));
      underWay.set(key, run);
    },
    /** Tells whether the runs under way have to come to an end. */
    isStopped: (): boolean => isStopped,
    idle,
    /** Starts no further run. Resolves when none is under way, after `timeoutMs` at the latest. */
    async stop(timeoutMs = STOP_TIMEOUT_MS): Promise<void> {
      isStopped = true;
      await resolveWithin(idle(), timeoutMs, clock);
    },
  };
}
