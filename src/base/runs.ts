import { type Clock, resolveWithin } from './clock.ts';
import { createOutage } from './outage.ts';

/** Work that goes on by itself, at most one run at a time for each key. */
export interface Runs {
  /** Starts the work, unless a run of that key is under way. */
  start(key: string, work: () => Promise<void>): void;
  /** Tells whether the runs under way have to come to an end. */
  isStopped(): boolean;
  /** Resolves when no run is under way. */
  idle(): Promise<void>;
  /** Starts no further run. Resolves when none is under way, after `patience` ms at the latest. */
  stop(patience?: number): Promise<void>;
}

/** Time that a stop waits for the runs under way, in ms. */
const PATIENCE_MS = 500;

/**
 * Runs of different keys never wait for each other: one server that Discord answers slowly holds up no other one. `failed`
 * is called once for several failures in a row.
 */
export function createRuns(clock: Pick<Clock, 'after'>, failed: (error: unknown) => void): Runs {
  const outage = createOutage(failed);
  const underWay = new Map<string, Promise<void>>();
  let isStopped = false;

  async function idle(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay.values());
  }

  return {
    start(key, work) {
      if (isStopped || underWay.has(key)) return;
      const run = work()
        .then(outage.worked, (error) => {
          // The store may be closed by then.
          if (!isStopped) outage.failed(error);
        })
        .finally(() => underWay.delete(key));
      underWay.set(key, run);
    },
    isStopped: () => isStopped,
    idle,
    async stop(patience = PATIENCE_MS) {
      isStopped = true;
      await resolveWithin(idle(), patience, clock);
    },
  };
}
