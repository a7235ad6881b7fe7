import Bottleneck from 'bottleneck';
import type { Priority } from '../endpoints.ts';
import { backgroundPace } from './admission.ts';
import { CLIENT_KEY, type Limit } from './estimate.ts';

/** How long a call waits for its permit. A poller comes again anyway, so it skips its turn. */
export const PATIENCE_MS: Readonly<Record<Priority, number>> = { interactive: 10_000, background: 30_000 };

/** Bottleneck's priorities: lower numbers first, 5 is the usual. What was sent once already goes first. */
export const PLACE = { again: 4, first: 5, last: 6 } as const;

/** A queue for jobs that bring their own results and never reject. */
export interface Queue {
  /** Resolves when the job has run; with false, without having run it, when the queue is full. */
  run(place: number, job: () => Promise<void>): Promise<boolean>;
}

export interface Queues extends Readonly<Record<Priority | 'network', Queue>> {
  /** To be told whenever the key's limit may have become known. */
  resize(limit: Limit): void;
}

type Settings = Bottleneck.ConstructorOptions & { readonly highWater: number | null };

/**
 * How a key's requests queue, in Bottleneck's own terms. For the usual key, 720 requests an hour:
 *
 * - `interactive`: one at a time asks the ledger for a permit; 720 may wait, since more could not be sent in an hour.
 * - `background`: one at a time, too; 5 may wait, since one in 6 s gets its turn and each waits 30 s at most.
 * - `network`: 5 requests at a time; all that come here have their permits, so there is no bound.
 *
 * `OVERFLOW` turns away the newest where the queue is full; the other strategies drop jobs that wait, or
 * lose a slot. `minTime` is minus infinity because Bottleneck plans the next job at `Date.now() + minTime`: with any
 * finite time the queue would stand still for an hour after the wall clock was put back by an hour. `reservoir` is not
 * used: it counts in fixed windows, forgets at a restart and knows nothing of other processes. The ledger does that.
 */
function settingsFor({ requests, windowMs }: Limit): Record<Priority | 'network', Settings> {
  const always = { minTime: Number.NEGATIVE_INFINITY, strategy: Bottleneck.strategy.OVERFLOW };
  const turns = Math.floor(PATIENCE_MS.background / backgroundPace({ requests, windowMs }));
  return {
    interactive: { ...always, maxConcurrent: 1, highWater: requests },
    background: { ...always, maxConcurrent: 1, highWater: Math.max(1, turns) },
    network: { ...always, maxConcurrent: 5, highWater: null },
  };
}

/** The queues of one key: one for each class, so that a poller that waits never stands before a person, and the network's. */
export function createQueues(): Queues {
  const settings = settingsFor(CLIENT_KEY);
  const interactive = createQueue(settings.interactive);
  const background = createQueue(settings.background);
  return {
    interactive,
    background,
    network: createQueue(settings.network),
    resize: (limit) => {
      const resized = settingsFor(limit);
      interactive.resize(resized.interactive.highWater);
      background.resize(resized.background.highWater);
    },
  };
}

function createQueue(settings: Settings): Queue & { resize(highWater: number | null): void } {
  const limiter = new Bottleneck(settings);
  let { highWater } = settings;
  // Until its first job a limiter goes by the time of its making, which the wall clock may be put back behind.
  void limiter.schedule(async () => {});
  return {
    run: async (place, job) => {
      // Bottleneck turns away at exactly `highWater`, so never once a queue is longer than it has been resized to.
      if (highWater !== null && limiter.queued() > highWater) return false;
      try {
        await limiter.schedule({ priority: place }, job);
        return true;
      } catch (error) {
        if (error instanceof Bottleneck.BottleneckError) return false;
        throw error;
      }
    },
    resize: (size) => {
      if (size === highWater) return;
      highWater = size;
      limiter.updateSettings({ highWater });
    },
  };
}
