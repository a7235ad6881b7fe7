/** The leases of this process, from the update that took them to the end of their release. */
import type { Clock } from '../base/clock.ts';
import { memoised } from '../base/memoised.ts';
import { type ClusterState, countsOf } from './cluster-state.ts';
import { isToBeReleased } from './decide.ts';
import { type Fence, unfenced } from './fence.ts';
import { servedBy as guildsOf, hasGuild, nameOf, type Shard, shardNamed, shardOf } from './shard.ts';

/** The guilds that one process serves: those of its shards. */
export interface ShardLeases {
  /** This process serves the guild now; null: direct messages. Of all processes, one does. */
  holds(guildId: string | null): boolean;
  /**
   * The fence for what is written for the guild; null from the moment at which another process may hold the lease.
   * There is one while the shard is being released, so that work can be ended.
   */
  fenceOf(guildId: string | null): Fence | null;
  /** Which guilds are served, whether or not that lasts at this moment; the same function until it is others. */
  served(): (guildId: string | null) => boolean;
}

/** Ends the work for some guilds, which another process goes on with; resolves when none is under way. */
export type Release = (has: (guildId: string | null) => boolean) => Promise<void>;

interface HeldLeases extends ShardLeases {
  /** Shards that were released, until another process holds them or they stay here after all. */
  readonly released: ReadonlySet<string>;
  /** Goes by a state of the cluster that was asked for at that time (monotonic clock), and releases what is to be. */
  follow(state: ClusterState, now: number, asked: number): void;
}

export function createHeldLeases(parts: {
  readonly me: string;
  readonly clock: Clock;
  /** Shards whose connection is up. */
  readonly connected: ReadonlySet<string>;
  readonly release: Release;
  /** A shard was released. */
  readonly changed: () => void;
  readonly failed: (error: unknown) => void;
}): HeldLeases {
  const { me, clock, connected, release, changed, failed } = parts;
  const releasing = new Set<string>();
  const released = new Set<string>();
  let state: ClusterState | null = null;
  /** Shards of another count whose leases have not ended: their guilds are still served by those. */
  let others: readonly Shard[] = [];
  /** By the monotonic clock; by the store's, the leases of this process end later. */
  let until = Number.NEGATIVE_INFINITY;
  const servedBy = memoised(guildsOf, 1);
  const isServed = (shard: string): boolean => connected.has(shard) && !releasing.has(shard);

  async function releaseOne(shard: string): Promise<void> {
    releasing.add(shard);
    try {
      await release((guildId) => hasGuild(shardNamed(shard), guildId));
      released.add(shard);
    } catch (error) {
      failed(error);
    }
    releasing.delete(shard);
    changed();
  }

  const own = (): readonly string[] =>
    Object.entries(state?.leases ?? {}).flatMap(([shard, { holder }]) =>
      holder === me && !released.has(shard) ? [shard] : [],
    );

  function fenceOf(guildId: string | null): Fence | null {
    if (state === null || state.count === 0 || clock.monotonic() >= until) return null;
    const shard = nameOf(shardOf(guildId, state.count));
    const lease = state.leases[shard];
    if (lease?.holder !== me || released.has(shard)) return null;
    if (others.some((other) => hasGuild(other, guildId))) return null;
    return { shard, holder: me, epoch: lease.epoch };
  }

  return {
    released,
    fenceOf,
    follow(seen, now, asked) {
      state = seen;
      until = asked + (seen.members[me]?.until ?? now) - now;
      for (const shard of released)
        if (seen.leases[shard]?.holder !== me || !isToBeReleased(seen, shard)) released.delete(shard);
      const counts = countsOf(seen);
      others = Object.keys(seen.leases)
        .map(shardNamed)
        .filter(({ count }) => !counts.includes(count));
      for (const shard of own())
        if (isToBeReleased(seen, shard) && !releasing.has(shard)) void releaseOne(shard);
    },
    holds(guildId) {
      const fence = fenceOf(guildId);
      return fence !== null && isServed(fence.shard);
    },
    served: () => servedBy(own().filter(isServed).join()),
  };
}

/** The same for shards that no other process takes. */
export function createFixedLeases(shards: readonly Shard[], connected: ReadonlySet<string>): HeldLeases {
  const names = new Set(shards.map(nameOf));
  const count = shards[0]?.count ?? 1;
  const servedBy = memoised(guildsOf, 1);
  const shardWith = (guildId: string | null): string => nameOf(shardOf(guildId, count));
  return {
    released: new Set(),
    follow() {},
    fenceOf: (guildId) => (names.has(shardWith(guildId)) ? unfenced : null),
    holds: (guildId) => names.has(shardWith(guildId)) && connected.has(shardWith(guildId)),
    served: () => servedBy([...names].filter((shard) => connected.has(shard)).join()),
  };
}
