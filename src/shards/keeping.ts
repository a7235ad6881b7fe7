import type { Proof } from '../store/board-records.ts';
import { type Fleet, isAlive } from './fleet.ts';
import { hasGuild, nameOf, shardNamed, shardOf } from './shard.ts';

/** What one process looks after: the guilds of its shards. */
export interface Keeping {
  /** Whether this process looks after the guild now; null: direct messages. Of all processes, one does. */
  keeps(guildId: string | null): boolean;
  /**
   * What proves that to the store; null from the moment at which another process may look after the guild. Stays
   * while a shard is being handed over, so that work can be ended.
   */
  proofOf(guildId: string | null): Proof | null;
}

/** For shards that no other process has. */
export const unleased: Proof = { shard: '', holder: '', fence: 0 };

/** By the fleet alone: `yielded` names the shards that this process has given up. */
export function leaseProof(
  fleet: Fleet,
  guildId: string | null,
  { me, now, yielded }: { readonly me: string; readonly now: number; readonly yielded: ReadonlySet<string> },
): Proof | null {
  if (fleet.count === 0) return null;
  const shard = nameOf(shardOf(guildId, fleet.count));
  const lease = fleet.leases[shard];
  if (lease === undefined || lease.holder !== me || yielded.has(shard)) return null;
  // The number of shards has just changed, and the process that had the guild before has not let go of it.
  const isStillTheirs = Object.entries(fleet.leases).some(([name, { holder }]) => {
    const other = shardNamed(name);
    const isOld = other.count !== fleet.count && other.count !== fleet.next;
    return isOld && hasGuild(other, guildId) && isAlive(fleet, holder, now);
  });
  return isStillTheirs ? null : { shard, holder: me, fence: lease.fence };
}
