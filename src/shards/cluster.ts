/** One process's part in the fleet, from its start to its end. */
import { sleep } from '../base/clock.ts';
import { patiently } from '../store/patiently.ts';
import { type ClusterState, isAlive, leasingMembers } from './cluster-state.ts';
import { wantedBy } from './decide.ts';
import type { Release } from './holding.ts';
import { growWithDiscord, type JoinParts, joinFleet } from './join.ts';
import { crashed, departed } from './membership.ts';
import { createReconciler, type Reconciler, type ReconcilerParts } from './reconciler.ts';
import type { ShardLeases } from './shard-leases.ts';
import type { Share } from './share.ts';

export interface ClusterParts extends JoinParts, Pick<ReconcilerParts, 'driver' | 'processes'> {
  /** This process's share, by the recommended number. */
  readonly share: (recommended: number) => Share;
}

export interface Cluster extends ShardLeases {
  /**
   * Joins the fleet, after a wait where starts have failed before, and resolves when its first shard is connected;
   * there may be none left for it.
   */
  join(): Promise<void>;
  /** Before an orderly stop: other processes connect this one's shards, which are then given up one by one. */
  handOver(): Promise<void>;
  /** How many processes of this bot are alive, as far as this one knows. */
  processes(): number;
  /** How many shards the bot has in all; null where this process's share is fixed, and nothing is agreed. */
  shards(): number | null;
  /** Whether it has joined the fleet and there is no shard for it: it takes over where another process ends. */
  standsBy(): boolean;
  /** Called before a shard is given up. */
  onRelease(release: Release): void;
  /** Called when this process keeps other guilds than before. */
  onChange(listener: () => void): void;
  /** Leaves the fleet. `inOrder`: false after an error, which counts as a failed start unless it has lasted. */
  leave(inOrder: boolean): Promise<void>;
}

/** How long a stopping process waits for others to take over, in ms. */
const HANDOVER = 15_000;
const LOOK_EVERY = 250;

export function createCluster(parts: ClusterParts): Cluster {
  const { me, agree, clock } = parts;
  const releases: Release[] = [];
  const listeners: (() => void)[] = [];
  let reconciler: Reconciler | null = null;
  let stopAsking = async (): Promise<void> => {};

  async function join(): Promise<void> {
    const { shards, concurrency } = await parts.gateway();
    const share = parts.share(shards);
    await joinFleet(share, shards, parts);
    const release: Release = async (has) => {
      await Promise.all(releases.map((each) => each(has)));
    };
    const kept = (): void => {
      for (const listener of listeners) listener();
    };
    reconciler = createReconciler({ ...parts, share, release, kept, atOnce: concurrency });
    await patiently(reconciler.reconcile, { clock, waiting: () => {} });
    if (share.kind === 'leased' && share.count === null) stopAsking = growWithDiscord(parts);
    await reconciler.connections.first();
  }

  /** The fleet, where this process leases its shards. */
  const leasing = (): ClusterState | null => {
    const fleet = reconciler?.fleet() ?? null;
    return fleet?.members[me]?.share === null ? fleet : null;
  };

  return {
    join,
    async handOver() {
      if (reconciler !== null) await giveUp(reconciler, parts);
    },
    holds: (guildId) => reconciler?.holds(guildId) ?? false,
    fenceOf: (guildId) => reconciler?.fenceOf(guildId) ?? null,
    processes: () => Math.max(1, Object.keys(reconciler?.fleet()?.members ?? {}).length),
    shards: () => leasing()?.count ?? null,
    standsBy() {
      const fleet = leasing();
      return fleet !== null && wantedBy(fleet, me).length === 0;
    },
    onRelease: (release) => void releases.push(release),
    onChange: (listener) => void listeners.push(listener),
    async leave(inOrder) {
      await stopAsking();
      if (reconciler === null) return;
      await reconciler.stop();
      try {
        await agree((fleet, now) => ({ fleet: inOrder ? departed(fleet, me) : crashed(fleet, me, now) }));
      } catch (error) {
        parts.failed(error);
      }
    },
  };
}

/** Lets others take this process's shards; resolves when they have, or after a while. */
async function giveUp(reconciler: Reconciler, { me, clock }: ClusterParts): Promise<void> {
  reconciler.leaving();
  const until = clock.monotonic() + HANDOVER;
  await reconciler.reconcile().catch(() => {});
  while (clock.monotonic() < until && isAwaited(reconciler, me)) await sleep(clock, LOOK_EVERY);
}

/** Whether this process still has shards that another one could take over. */
function isAwaited(reconciler: Reconciler, me: string): boolean {
  const fleet = reconciler.fleet();
  if (fleet === null || wantedBy(fleet, me).length === 0) return false;
  const now = fleet.at;
  return leasingMembers(fleet, now).some((id) => id !== me && isAlive(fleet, id, now));
}
