/** Brings one process in line with the cluster: updates the state again and again, and follows what comes of it. */
import type { Clock } from '../base/clock.ts';
import type { ShardsSetting } from '../base/config/shards-setting.ts';
import { every } from '../base/every.ts';
import { type ClusterState, LEASE_MS, leaseOf, type UpdateCluster } from './cluster-state.ts';
import { createConnections, type ShardDriver } from './connections.ts';
import { decide, isMoving, wantedBy } from './decide.ts';
import { startWait } from './members.ts';
import { nameOf, shareOf } from './shard.ts';
import { createFixedLeases, createHeldLeases, type Release, type ShardLeases } from './shard-leases.ts';

interface ReconcilerParts {
  readonly me: string;
  readonly setting: ShardsSetting;
  readonly update: UpdateCluster;
  readonly driver: ShardDriver;
  readonly clock: Clock;
  /** How many shards may connect at a time: Discord's `max_concurrency`. */
  readonly concurrency: number;
  /** Called after each update. */
  readonly updated: (state: ClusterState, now: number) => void;
  /** Called when this process serves other guilds than before. */
  readonly changed: () => void;
  readonly release: Release;
  /** The start, or free shards, wait this long because of earlier crashes. Called once for each crash. */
  readonly waiting: (ms: number, failed: number) => void;
  readonly failed: (error: unknown) => void;
}

interface Reconciler {
  readonly leases: ShardLeases;
  /** Resolves when the first shard is connected, or where none is wanted; rejects with the reason where none can be. */
  first(): Promise<void>;
  /** Resolves when nothing keeps this process from connecting shards, or others serve the bot meanwhile. */
  readonly begun: Promise<void>;
  /** As last seen; null before the first update. */
  readonly state: () => ClusterState | null;
  /** Updates now. Rejects where the store fails; it is tried again and again anyway. */
  reconcile(): Promise<void>;
  /** From the next update on this process takes no shards, and offers those that it has. */
  leave(): void;
  /** Resolves when no update is under way. */
  stop(): Promise<void>;
}

/** The wait in ms before the next update while leases change hands, and after one that failed. */
const SOON = 500;

export function createReconciler(parts: ReconcilerParts): Reconciler {
  const { me, setting, clock, concurrency } = parts;
  let state: ClusterState | null = null;
  let leaving = false;
  const begun = Promise.withResolvers<void>();
  const wanted = createWanted(parts, begun.resolve);
  const changed = (): void => void updates.now();
  const connections = createConnections({ ...parts, changed });
  const { connected } = connections;
  const leases =
    setting.kind === 'fixed'
      ? createFixedLeases(setting.shards, connected)
      : createHeldLeases({ ...parts, connected, changed });
  let servedBefore = leases.served();
  const updates = every(clock, LEASE_MS / 3, update, parts.failed);

  async function update(): Promise<void> {
    const asked = clock.monotonic();
    const view = { me, share: shareOf(setting), leaving, connected, concurrency, known: state };
    const decided = parts.update((before, now) => ({
      state: decide(before, { ...view, now, released: leases.released }),
    }));
    decided.catch(() => updates.within(SOON));
    const seen = await decided;
    state = seen.state;
    leases.follow(state, seen.now, asked);
    connections.want(wanted(state, seen.now), concurrency);
    updates.within(isMoving(state) ? SOON : untilNews(state, me, seen.now));
    parts.updated(state, seen.now);
    const served = leases.served();
    if (served !== servedBefore) parts.changed();
    servedBefore = served;
  }

  return {
    leases,
    first: connections.first,
    begun: begun.promise,
    state: () => state,
    async reconcile() {
      const failure = await updates.now();
      if (failure !== null) throw failure.error;
    },
    leave() {
      leaving = true;
    },
    stop: () => updates.stop(),
  };
}

/**
 * The shards that the process should be connected to by a state of the cluster. Those of a setting wait for the end of a
 * crash loop as the free ones do, unless they are connected already.
 */
function createWanted({ me, setting, waiting }: ReconcilerParts, begun: () => void) {
  let reportedAt = 0;
  let isOpen = false;
  return (state: ClusterState, now: number): readonly string[] => {
    const wait = isOpen ? 0 : startWait(state, now);
    if (wait > 0 && state.failedAt !== reportedAt) {
      reportedAt = state.failedAt;
      waiting(wait, Math.floor(state.failed));
    }
    const isServed = Object.values(state.leases).some(({ holder }) => holder !== me);
    if (wait === 0 || (setting.kind === 'leased' && isServed)) begun();
    if (setting.kind === 'leased') return wantedBy(state, me);
    isOpen ||= wait === 0;
    return isOpen ? setting.shards.map(nameOf) : [];
  };
}

/** How long until its own leases are to be renewed, those of another process end, or free shards may be taken; in ms. */
function untilNews(state: ClusterState, me: string, now: number): number {
  const times = Object.entries(state.members).map(([id, member]) =>
    id === me ? member.until - (2 / 3) * leaseOf(member) : member.until + 1,
  );
  const wait = startWait(state, now);
  if (wait > 0) times.push(now + wait);
  return Math.max(1, Math.min(...times) - now);
}
