/** The shards that this process holds, from the moment at which it has them to that at which it has given them up. */
import type { Clock } from '../base/clock.ts';
import type { Fence } from '../board/board-records.ts';
import { type ClusterState, LEASE_MS } from './cluster-state.ts';
import { isDue } from './decide.ts';
import { hasGuild, nameOf, type Shard, shardNamed, shardOf } from './shard.ts';
import { fenceIn, type Held, heldIn, type ShardLeases, unfenced } from './shard-leases.ts';

/** Ends the work for some guilds, which another process goes on with; resolves when none is under way. */
export type Release = (has: (guildId: string | null) => boolean) => Promise<void>;

interface HoldingParts {
  readonly me: string;
  readonly clock: Clock;
  /** Shards whose connection is up. */
  readonly up: ReadonlySet<string>;
  readonly release: Release;
  /** A shard has been given up. */
  readonly changed: () => void;
  readonly failed: (error: unknown) => void;
}

export interface Holding extends ShardLeases {
  /** Shards whose guilds are no longer kept here, until another process has them. */
  readonly yielded: ReadonlySet<string>;
  /** Goes by a fleet that was asked for at that time (monotonic clock), and gives up what is due. */
  follow(fleet: ClusterState, asked: number): void;
  /** The shards whose guilds are kept, in one text. */
  kept(): string;
}

export function createHolding({ me, clock, up, release, changed, failed }: HoldingParts): Holding {
  const yielding = new Set<string>();
  const yielded = new Set<string>();
  let fleet: ClusterState | null = null;
  let held: Held | null = null;
  /** By the monotonic clock; by the store's, this process's life ends later. */
  let until = Number.NEGATIVE_INFINITY;
  const isKept = (shard: string): boolean => up.has(shard) && !yielding.has(shard);

  function take(seen: ClusterState): void {
    fleet = seen;
    for (const shard of yielded) if (seen.leases[shard]?.holder !== me) yielded.delete(shard);
    held = heldIn(seen, me, yielded);
  }

  async function giveUp(shard: string): Promise<void> {
    yielding.add(shard);
    try {
      await release((guildId) => hasGuild(shardNamed(shard), guildId));
      yielded.add(shard);
      if (fleet !== null) take(fleet);
    } catch (error) {
      failed(error);
    }
    yielding.delete(shard);
    changed();
  }

  function fenceOf(guildId: string | null): Fence | null {
    return held === null || clock.monotonic() >= until ? null : fenceIn(held, me, guildId);
  }

  return {
    yielded,
    fenceOf,
    follow(seen, asked) {
      until = asked + LEASE_MS;
      take(seen);
      for (const shard of held?.fences.keys() ?? [])
        if (isDue(seen, shard) && !yielding.has(shard)) void giveUp(shard);
    },
    holds(guildId) {
      const proof = fenceOf(guildId);
      return proof !== null && isKept(proof.shard);
    },
    kept: () => [...(held?.fences.keys() ?? [])].filter(isKept).join(),
  };
}

/** The same for shards that no other process has. */
export function createFixedHolding(shards: readonly Shard[], up: ReadonlySet<string>): Holding {
  const names = new Set(shards.map(nameOf));
  const count = shards[0]?.count ?? 1;
  const shardWith = (guildId: string | null): string => nameOf(shardOf(guildId, count));
  return {
    yielded: new Set(),
    follow() {},
    fenceOf: (guildId) => (names.has(shardWith(guildId)) ? unfenced : null),
    holds: (guildId) => names.has(shardWith(guildId)) && up.has(shardWith(guildId)),
    kept: () => [...names].filter((shard) => up.has(shard)).join(),
  };
}
