import Bottleneck from 'bottleneck';
import type { Clock } from '../../clock.ts';

/** A queue for jobs that bring their own results: at most so many run at once, lower numbers first. */
export interface Gate {
  /** Resolves when the job has run; with false, without having run it, when the queue is full. The job never rejects. */
  run(priority: number, job: () => Promise<void>): Promise<boolean>;
  /** How many jobs may wait; of those that wait already, the ones that came last go. */
  resize(highWater: number): void;
}

interface Waiting {
  readonly priority: number;
  readonly job: () => Promise<void>;
  readonly done: (ran: boolean) => void;
}

/** Smaller steps of the wall clock only delay a job by themselves. */
const STEP_MS = 250;

/**
 * Bottleneck as a queue. It plans by the wall clock, and would stand still for an hour after that was put back by
 * an hour: then, and to change its size, the jobs that wait move to a new limiter. Pacing and deadlines are not
 * left to it: with `minTime`, a job that nobody wants any more would still use up its turn.
 */
export function createGate(options: {
  readonly clock: Clock;
  readonly maxConcurrent: number;
  readonly highWater: number | null;
}): Gate {
  const { clock, maxConcurrent } = options;
  let { highWater } = options;
  let limiter = build();
  let wallAhead = clock.now() - clock.monotonic();
  const waiting = new Set<Waiting>();

  function build(): Bottleneck {
    return new Bottleneck({ maxConcurrent, highWater, strategy: Bottleneck.strategy.OVERFLOW });
  }

  function enqueue(entry: Waiting): void {
    const own = limiter;
    own
      .schedule({ priority: entry.priority }, async () => {
        if (own !== limiter || !waiting.delete(entry)) return;
        await entry.job();
        entry.done(true);
        moveAfterStep();
      })
      .catch(() => {
        // Dropped: by the limiter that still counts because it is full, or by an older one because it was left.
        if (own === limiter && waiting.delete(entry)) entry.done(false);
      });
  }

  function move(): void {
    const left = limiter;
    limiter = build();
    for (const entry of waiting) enqueue(entry);
    left.stop({ dropWaitingJobs: true }).catch(() => {});
  }

  function moveAfterStep(): void {
    const ahead = clock.now() - clock.monotonic();
    const steppedBack = ahead < wallAhead - STEP_MS;
    wallAhead = ahead;
    if (steppedBack) move();
  }

  return {
    run: (priority, job) => {
      moveAfterStep();
      return new Promise((done) => {
        const entry = { priority, job, done };
        waiting.add(entry);
        enqueue(entry);
      });
    },
    resize: (size) => {
      if (size === highWater) return;
      highWater = size;
      move();
    },
  };
}
