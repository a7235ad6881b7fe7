import { type Clock, sleep } from '../base/clock.ts';
import { MINUTE } from '../base/duration.ts';
import { identifyTurn } from './identifies.ts';
import type { Shard } from './shard.ts';
import type { UpdateCluster } from './update-cluster.ts';

/** What Discord allows the bot. */
export interface SessionLimits {
  /** Its `max_concurrency`. */
  readonly concurrency: number;
  /** Identifies left until the reset. */
  readonly remaining: number;
  /** Milliseconds until there are as many as in the beginning. */
  readonly resetIn: number;
}

export interface IdentifyQueueParts {
  readonly me: string;
  readonly agree: UpdateCluster;
  readonly clock: Clock;
  /** As Discord last told them; asked again after a minute. */
  readonly limits: () => Promise<SessionLimits>;
  /** An identify waits for longer than the queue takes. */
  readonly waiting: (
    shard: Shard,
    ms: number,
    why: 'too few identifies left' | 'sessions do not last',
  ) => void;
}

/** So many are never spent: Discord resets the token of a bot that identifies once too often. */
const RESERVE = 20;
/** The least time until Discord is asked again, in ms. */
const ASK_AGAIN = MINUTE;
/** Where Discord cannot be asked. */
const UNKNOWN: SessionLimits = { concurrency: 1, remaining: Number.POSITIVE_INFINITY, resetIn: 0 };
/** Where the store is away, in ms: the others' identifies are unknown. */
const ALONE = { least: 5250, more: 5250 };

/**
 * Resolves when the shard may identify, over all processes one at a time in each bucket. Rejects only with the
 * signal's reason.
 */
export function createIdentifyQueue({ me, agree, clock, limits, waiting }: IdentifyQueueParts) {
  async function turn(shard: Shard, concurrency: number) {
    try {
      return await agree((fleet, now) => identifyTurn(fleet, { shard, by: me, concurrency, now }));
    } catch {
      // A connection lost while the store is away must come back without it.
      return { at: ALONE.least + Math.random() * ALONE.more, now: 0, isBooked: true };
    }
  }

  return async (shard: Shard, signal: AbortSignal): Promise<void> => {
    for (;;) {
      const { concurrency, remaining, resetIn } = await limits().catch(() => UNKNOWN);
      if (remaining <= RESERVE) {
        const wait = Math.max(ASK_AGAIN, resetIn);
        waiting(shard, wait, 'too few identifies left');
        await sleep(clock, wait, signal);
        continue;
      }
      const { at, now, isBooked } = await turn(shard, concurrency);
      if (!isBooked) waiting(shard, at - now, 'sessions do not last');
      await sleep(clock, at - now, signal);
      if (isBooked) return;
    }
  };
}
