import type { Fence } from '../board/board-records.ts';
import type { ClusterState } from './cluster-state.ts';
import { hasGuild, nameOf, type Shard, shardNamed, shardOf } from './shard.ts';

/** What one process looks after: the guilds of its shards. */
export interface ShardLeases {
  /** Whether this process looks after the guild now; null: direct messages. Of all processes, one does. */
  holds(guildId: string | null): boolean;
  /**
   * What proves that to the store; null from the moment at which another process may look after the guild. Stays
   * while a shard is being handed over, so that work can be ended.
   */
  fenceOf(guildId: string | null): Fence | null;
}

/** For shards that no other process has. */
export const unfenced: Fence = { shard: '', holder: '', fence: 0 };

/** What a process holds by a fleet that it has seen. */
export interface Held {
  /** The leases of this process, by their shards, without those that it has given up. */
  readonly fences: ReadonlyMap<string, number>;
  readonly count: number;
  /** Leases of another number of shards that have not ended: the guilds there are still kept by them. */
  readonly old: readonly Shard[];
}

export function heldIn(fleet: ClusterState, me: string, yielded: ReadonlySet<string>): Held {
  const mine = Object.entries(fleet.leases).filter(
    ([shard, { holder }]) => holder === me && !yielded.has(shard),
  );
  const { count, next } = fleet;
  return {
    count,
    fences: new Map(mine.map(([shard, { fence }]) => [shard, fence])),
    old: Object.keys(fleet.leases)
      .map(shardNamed)
      .filter((shard) => shard.count !== count && shard.count !== next),
  };
}

export function fenceIn({ fences, count, old }: Held, me: string, guildId: string | null): Fence | null {
  if (count === 0) return null;
  const shard = nameOf(shardOf(guildId, count));
  const fence = fences.get(shard);
  if (fence === undefined || old.some((other) => hasGuild(other, guildId))) return null;
  return { shard, holder: me, fence };
}
