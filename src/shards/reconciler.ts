/** Brings one process in line with the fleet: reads it from time to time, takes its turn and follows the result. */
import type { Clock } from '../base/clock.ts';
import { every } from '../base/every.ts';
import { type ClusterState, RENEW_EVERY } from './cluster-state.ts';
import { type Connections, createConnections, type ShardDriver } from './connections.ts';
import { decide, isMoving, wantedBy } from './decide.ts';
import { createFixedHolding, createHolding, type Release } from './holding.ts';
import { startWait } from './membership.ts';
import { nameOf } from './shard.ts';
import type { ShardLeases } from './shard-leases.ts';
import { nameOfShare, type Share } from './share.ts';
import type { UpdateCluster } from './update-cluster.ts';

export interface ReconcilerParts {
  readonly me: string;
  readonly share: Share;
  readonly agree: UpdateCluster;
  readonly driver: ShardDriver;
  readonly clock: Clock;
  /** How many shards may connect at a time: Discord's `max_concurrency`. */
  readonly atOnce: number;
  /** Called with the number of live processes whenever it has changed. */
  readonly processes: (count: number) => void;
  readonly failed: (error: unknown) => void;
  readonly release: Release;
  /** Called when this process keeps other guilds than before. */
  readonly kept: () => void;
  /** The start, or shards without a process, wait this long because of earlier crashes. */
  readonly waiting: (ms: number, failed: number) => void;
}

/** The wait in ms before the next round while leases change hands, and after one that failed. */
const SOON = 500;

export interface Reconciler extends ShardLeases {
  readonly connections: Connections;
  /** The fleet as last seen; null before the first round. */
  readonly fleet: () => ClusterState | null;
  /** Reads the fleet at once, and from then on again and again. Rejects where the store fails; the next round comes anyway. */
  reconcile(): Promise<void>;
  leaving(): void;
  /** Resolves when no round is under way, or after half a second. */
  stop(): Promise<void>;
}

export function createReconciler(parts: ReconcilerParts): Reconciler {
  const { me, share, agree, clock } = parts;
  let fleet: ClusterState | null = null;
  let leaving = false;
  const reportWait = createWaitReport(parts);
  let keptBefore = '';
  const changed = (): void => rounds.within(0);
  const connections = createConnections({ ...parts, changed });
  const { up } = connections;
  const holding =
    share.kind === 'fixed' ? createFixedHolding(share.shards, up) : createHolding({ ...parts, up, changed });
  const rounds = every(clock, RENEW_EVERY, round, parts.failed);

  async function round(): Promise<void> {
    try {
      await follow();
    } catch (error) {
      rounds.within(SOON);
      throw error;
    }
  }

  async function follow(): Promise<void> {
    const asked = clock.monotonic();
    const own = {
      me,
      share: nameOfShare(share),
      leaving,
      connected: up,
      atOnce: parts.atOnce,
      known: fleet,
    };
    const seen = await agree((before, now) => ({
      fleet: decide(before, { ...own, now, yielded: holding.yielded }),
    }));
    reportProcesses(seen.fleet);
    reportWait(seen.fleet, seen.now);
    fleet = seen.fleet;
    holding.follow(fleet, asked);
    connections.want(share.kind === 'fixed' ? share.shards.map(nameOf) : wantedBy(fleet, me), parts.atOnce);
    const kept = holding.kept();
    if (kept !== keptBefore) parts.kept();
    keptBefore = kept;
    rounds.within(isMoving(fleet) ? SOON : untilDeath(fleet, seen.now));
  }

  function reportProcesses({ members }: ClusterState): void {
    const processes = Object.keys(members).length;
    if (processes !== Object.keys(fleet?.members ?? {}).length) parts.processes(processes);
  }

  return {
    connections,
    fleet: () => fleet,
    async reconcile() {
      const failure = await rounds.now();
      if (failure !== null) throw failure.error;
    },
    holds: holding.holds,
    fenceOf: holding.fenceOf,
    leaving() {
      leaving = true;
    },
    stop: () => rounds.stop(),
  };
}

/** Reports a wait, once for each crash that causes one. */
function createWaitReport({ share, waiting }: ReconcilerParts): (seen: ClusterState, now: number) => void {
  let reportedAt = 0;
  return (seen, now) => {
    const wait = share.kind === 'fixed' ? 0 : startWait(seen, now);
    if (wait > 0 && seen.failedAt !== reportedAt) waiting(wait, Math.floor(seen.failed));
    if (wait > 0) reportedAt = seen.failedAt;
  };
}

/** Until the first process counts as dead unless it is heard of before, in ms. */
function untilDeath({ members }: ClusterState, now: number): number {
  const ends = Object.values(members).map(({ until }) => until - now + 1);
  return Math.max(1, Math.min(...ends));
}
