import Bottleneck from 'bottleneck';
import type { Clock } from '../../base/clock.ts';
import type { ServiceError } from '../../base/errors.ts';
import type { Call } from '../call.ts';
import type { Priority } from '../endpoints.ts';
import { backgroundPace } from './admission.ts';
import { CLIENT_KEY, type Limit } from './estimate.ts';
import type { Permit } from './ledger/ledger-store.ts';
import { noPermit } from './no-permit.ts';
import type { createPermits, Denial } from './permits.ts';

/** Longest wait of a call for its permit. A poller calls again anyway, so it skips this poll. */
const PERMIT_TIMEOUT_MS: Readonly<Record<Priority, number>> = { interactive: 10_000, background: 30_000 };

/** Bottleneck priorities: lower numbers go first, 5 is the default. */
export const PLACE = { retry: 4, first: 5, last: 6 } as const;

/**
 * How many calls may wait for a permit. Of people 720 for the usual key, 720 requests an hour: an hour allows no more. Of
 * pollers 5, since one goes every 6 s and each waits 30 s at most.
 */
function queueLimits(limit: Limit): Readonly<Record<Priority, number>> {
  const turns = Math.floor(PERMIT_TIMEOUT_MS.background / backgroundPace(limit));
  return { interactive: limit.requests, background: Math.max(1, turns) };
}

/**
 * A queue for jobs that deliver their own results and never reject.
 *
 * `OVERFLOW` rejects the newest job when the queue is full; the other strategies drop waiting jobs or lose a slot.
 * `minTime` is minus infinity because Bottleneck plans the next job at `Date.now() + minTime`: with a finite value,
 * the queue would stall for an hour if the wall clock were set back by one. `reservoir` is not used: it counts in
 * fixed windows, forgets on restart and does not see other processes. The ledger covers that.
 */
function createQueue(maxConcurrent: number, room: number | null) {
  let highWater = room;
  const limiter = new Bottleneck({
    maxConcurrent,
    highWater,
    minTime: Number.NEGATIVE_INFINITY,
    strategy: Bottleneck.strategy.OVERFLOW,
  });
  // Until its first job, a limiter waits for its creation time, which a wall clock set back puts in the future.
  void limiter.schedule(async () => {});
  return {
    /** True once the job has run; false if the queue is full and it never will. */
    async run(place: number, job: () => Promise<void>): Promise<boolean> {
      // Bottleneck rejects only at exactly `highWater`, so never once the queue is longer than a lowered limit.
      if (highWater !== null && limiter.queued() > highWater) return false;
      try {
        await limiter.schedule({ priority: place }, job);
        return true;
      } catch (error) {
        if (error instanceof Bottleneck.BottleneckError) return false;
        throw error;
      }
    },
    resize(size: number): void {
      if (size === highWater) return;
      highWater = size;
      limiter.updateSettings({ highWater });
    },
  };
}

/** Queues the calls of one key: first for their permits, then for the network. */
export function createPermitQueue(clock: Clock, permits: ReturnType<typeof createPermits>) {
  const limits = queueLimits(CLIENT_KEY);
  /** One queue per class, each with one call at a time at the ledger, so that a waiting poller never blocks a person. */
  const queues = {
    interactive: createQueue(1, limits.interactive),
    background: createQueue(1, limits.background),
  };
  /** Why each class was last denied a permit, and the monotonic time at which there may be one. */
  const denied: Record<Priority, { readonly reason: Denial | null; readonly at: number }> = {
    interactive: { reason: null, at: 0 },
    background: { reason: null, at: 0 },
  };

  function resize(limit: Limit): void {
    const resized = queueLimits(limit);
    queues.interactive.resize(resized.interactive);
    queues.background.resize(resized.background);
  }

  /** Null: not in time. */
  async function takePermit(kind: Priority, wait: ReturnType<typeof beginWait>): Promise<Permit | null> {
    while (!wait.hasEnded()) {
      const attempt = await permits.take(kind);
      if (attempt.limit !== null) resize(attempt.limit);
      if (attempt.permit !== null) return attempt.permit;
      const { reason, waitMs } = attempt;
      const at = clock.monotonic() + waitMs;
      denied[kind] = { reason, at };
      if (at > wait.deadline) return null;
      // An answer under way may end these waits early.
      await permits.sleep(waitMs, reason === 'probe' || reason === 'headers');
    }
    return null;
  }

  return {
    /** Exactly one of the two callbacks is called. */
    join(
      call: Call,
      place: number,
      {
        granted,
        givenUp,
      }: {
        /** Resolves when the next call of the same class may ask for a permit. */
        readonly granted: (permit: Permit) => Promise<void>;
        readonly givenUp: (why: ServiceError) => void;
      },
    ): void {
      const kind = call.priority;
      const wait = beginWait(call, clock, () => {
        const { reason, at } = call.signal?.aborted ? { reason: 'dropped' as const, at: 0 } : denied[kind];
        const now = clock.now();
        givenUp(noPermit(call, { reason, at: now + at - clock.monotonic() }, now));
      });
      const work = async (): Promise<void> => {
        const permit = await takePermit(kind, wait);
        if (permit === null) return wait.giveUp();
        // Dropped while waiting for the ledger.
        if (wait.hasEnded()) return void (await permits.settle(permit, { kind: 'unsent' }));
        wait.end();
        denied[kind] = { reason: 'connections', at: 0 };
        await granted(permit);
        denied[kind] = { reason: null, at: 0 };
      };
      void queues[kind].run(place, work).then((ran) => {
        if (!ran) wait.giveUp();
      });
    },
    /** Five requests at a time. Each has its permit, so that the queue is unbounded. */
    network: createQueue(5, null).run,
  };
}

/**
 * Starts a call's wait for its permit. The wait ends with a permit, when nobody wants the answer any more, or at the
 * deadline (monotonic ms).
 */
function beginWait({ priority, signal }: Call, clock: Clock, onGivenUp: () => void) {
  let hasEnded = false;
  const end = (): void => {
    hasEnded = true;
    cancel();
    signal?.removeEventListener('abort', giveUp);
  };
  const giveUp = (): void => {
    if (hasEnded) return;
    end();
    onGivenUp();
  };
  const cancel = clock.after(PERMIT_TIMEOUT_MS[priority], giveUp);
  signal?.addEventListener('abort', giveUp);
  if (signal?.aborted) giveUp();
  return { deadline: clock.monotonic() + PERMIT_TIMEOUT_MS[priority], hasEnded: () => hasEnded, end, giveUp };
}
