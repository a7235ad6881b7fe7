/**
 * Logins to the gateway. Discord allows a bot a thousand identifies a day and then resets its token, and of each
 * bucket (shard id modulo `max_concurrency`) one in five seconds. Pure.
 */
import { MINUTE } from '../base/duration.ts';
import { type ClusterState, LASTING } from './cluster-state.ts';
import { waitAfter } from './membership.ts';
import { nameOf, type Shard } from './shard.ts';

/** In ms: Discord's five seconds, and room for two processes whose frames take different times to arrive. */
const SPACING = 5250;

/** Longer than any queue: a booking further ahead was made before the clock was set back. */
const LONGEST_QUEUE = 10 * MINUTE;

export interface Turn {
  /** When it may identify, or, where that is not booked, ask again. */
  readonly at: number;
  readonly isBooked: boolean;
  readonly fleet: ClusterState;
}

/** Books the shard's next identify, unless it has to wait because those before it did not last. */
export function identifyTurn(
  fleet: ClusterState,
  { shard, by, concurrency, now }: { shard: Shard; by: string; concurrency: number; now: number },
): Turn {
  const name = nameOf(shard);
  const last = fleet.identifies[name];
  const repeats = last?.by === by && last.at <= now ? last.repeats + 1 : 0;
  const allowed = waitAfter(repeats, last?.at ?? now);
  const isRepeat = repeats > 0 && now < allowed + LASTING;
  if (isRepeat && allowed > now) return { at: allowed, isBooked: false, fleet };

  const bucket = String(shard.id % concurrency);
  const used = fleet.buckets[bucket] ?? 0;
  const at = used > now + LONGEST_QUEUE ? now : Math.max(now, used + SPACING);
  const member = fleet.members[by];
  const members = member === undefined ? {} : { [by]: { ...member, identified: member.identified ?? at } };
  const identifies = withoutPast(fleet.identifies, (each) => each.at + 2 * LASTING, now);
  const buckets = withoutPast(fleet.buckets, (each) => each + SPACING, now);
  return {
    at,
    isBooked: true,
    fleet: {
      ...fleet,
      members: { ...fleet.members, ...members },
      identifies: { ...identifies, [name]: { by, at, repeats: isRepeat ? repeats : 0 } },
      buckets: { ...buckets, [bucket]: at },
    },
  };
}

function withoutPast<T>(all: Record<string, T>, over: (each: T) => number, now: number): Record<string, T> {
  return Object.fromEntries(Object.entries(all).filter(([, each]) => over(each) > now));
}
