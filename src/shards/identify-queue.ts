/**
 * Logins to the gateway. Discord allows a bot a thousand identifies a day and then resets its token, and of each
 * bucket (shard id modulo `max_concurrency`) one in five seconds.
 */
import { type Clock, sleep } from '../base/clock.ts';
import { MINUTE } from '../base/duration.ts';
import { type ClusterState, LASTING, type UpdateCluster } from './cluster-state.ts';
import { waitAfter } from './members.ts';
import { nameOf, type Shard } from './shard.ts';

/** The logins that Discord allows the bot. */
export interface SessionLimits {
  /** Its `max_concurrency`. */
  readonly concurrency: number;
  /** Identifies left until the reset. */
  readonly remaining: number;
  /** Milliseconds until there are as many as in the beginning. */
  readonly resetIn: number;
}

interface IdentifyQueueParts {
  readonly me: string;
  readonly update: UpdateCluster;
  readonly clock: Clock;
  /** As Discord last reported them; asked again after a minute. */
  readonly limits: () => Promise<SessionLimits>;
  /** An identify waits for longer than the queue takes. */
  readonly waiting: (
    shard: Shard,
    ms: number,
    why: 'too few identifies left' | 'sessions do not last',
  ) => void;
}

/** In ms: Discord's five seconds, and room for two processes whose frames take different times to arrive. */
const SPACING = 5250;
/** Longer than any queue: a booking further ahead was made before the clock was set back. */
const LONGEST_QUEUE = 10 * MINUTE;
/** So many are never spent: Discord resets the token of a bot that identifies once too often. */
const RESERVE = 20;
/** The least time until Discord is asked again, in ms. */
const ASK_AGAIN = MINUTE;
/** Where Discord cannot be asked. */
const UNKNOWN: SessionLimits = { concurrency: 1, remaining: Number.POSITIVE_INFINITY, resetIn: 0 };

/**
 * Resolves when the shard may identify, over all processes one at a time in each bucket. Rejects only with the
 * signal's reason.
 */
export function createIdentifyQueue({ me, update, clock, limits, waiting }: IdentifyQueueParts) {
  async function book(shard: Shard, concurrency: number) {
    try {
      return await update((state, now) => booked(state, { shard, by: me, concurrency, now }));
    } catch {
      // A connection lost while the store is away must come back without it. The others' identifies are unknown.
      return { at: SPACING + Math.random() * SPACING, now: 0, isBooked: true };
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
      const { at, now, isBooked } = await book(shard, concurrency);
      if (!isBooked) waiting(shard, at - now, 'sessions do not last');
      await sleep(clock, at - now, signal);
      if (isBooked) return;
    }
  };
}

/** Books the shard's next identify, unless it has to wait because those before it did not last. Pure. */
function booked(
  state: ClusterState,
  { shard, by, concurrency, now }: { shard: Shard; by: string; concurrency: number; now: number },
): {
  /** When it may identify, or, where that is not booked, ask again. */
  readonly at: number;
  readonly isBooked: boolean;
  readonly state: ClusterState;
} {
  const name = nameOf(shard);
  const last = state.identifies[name];
  const repeats = last?.by === by && last.at <= now ? last.repeats + 1 : 0;
  const allowed = waitAfter(repeats, last?.at ?? now);
  const isRepeat = repeats > 0 && now < allowed + LASTING;
  if (isRepeat && allowed > now) return { at: allowed, isBooked: false, state };

  const bucket = String(shard.id % concurrency);
  const used = state.buckets[bucket] ?? 0;
  const at = used > now + LONGEST_QUEUE ? now : Math.max(now, used + SPACING);
  const member = state.members[by];
  const members = member === undefined ? {} : { [by]: { ...member, identified: member.identified ?? at } };
  const identifies = withoutPast(state.identifies, (each) => each.at + 2 * LASTING, now);
  const buckets = withoutPast(state.buckets, (each) => each + SPACING, now);
  return {
    at,
    isBooked: true,
    state: {
      ...state,
      members: { ...state.members, ...members },
      identifies: { ...identifies, [name]: { by, at, repeats: isRepeat ? repeats : 0 } },
      buckets: { ...buckets, [bucket]: at },
    },
  };
}

function withoutPast<T>(all: Record<string, T>, over: (each: T) => number, now: number): Record<string, T> {
  return Object.fromEntries(Object.entries(all).filter(([, each]) => over(each) > now));
}
