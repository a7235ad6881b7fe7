/**
 * The processes of one bot, and which of them holds which shard: one document, which one process at a time decides on.
 * All times are the store's clock in unix milliseconds.
 */
import { z } from 'zod';
import { MINUTE, SECOND } from '../base/duration.ts';
import { change } from '../store/change.ts';
import { collection } from '../store/collection.ts';
import type { Documents } from '../store/documents.ts';
import { writeFences } from './fence.ts';

const Member = z.object({
  since: z.number(),
  /** It is alive, and its leases are valid, until then; renewed by its updates. */
  until: z.number(),
  /** The shards that its setting names; null where it leases them. */
  share: z.string().nullable(),
  /** It is about to stop and takes nothing new. */
  leaving: z.boolean(),
  /** When it first spent an identify; null before. */
  identified: z.number().nullable(),
});
export type Member = z.output<typeof Member>;

/** Valid while its holder is alive. */
const Lease = z.object({
  holder: z.string(),
  /** Larger than that of every earlier lease. */
  epoch: z.int(),
  /** The holder's connection has been up. */
  ready: z.boolean(),
  /** The holder wants to hand it over: it stops, or has more than its part. */
  offered: z.boolean(),
  /** Who connects the shard before the holder releases it. */
  candidate: z.string().nullable(),
  candidateReady: z.boolean(),
});
export type Lease = z.output<typeof Lease>;

/** The newest identify of a shard. */
const Identify = z.object({
  by: z.string(),
  at: z.number(),
  /** How many directly before it were by the same process, each shortly after the one before. */
  repeats: z.int(),
});

const ClusterState = z.object({
  /** How many shards there are; 0 before the first process has said. */
  count: z.int(),
  /** How many there will be once all of those are connected; null while nothing changes. */
  next: z.int().nullable(),
  /** Of the newest lease. */
  epoch: z.int(),
  /** Free shards are not taken before: the store has lost its data, and their holders have not been heard. */
  closedUntil: z.number(),
  members: z.record(z.string(), Member),
  /** By the shard's name. */
  leases: z.record(z.string(), Lease),
  /** Crashes in a row, soon after their start; one that others made up for counts less. When the last was noticed. */
  failed: z.number(),
  failedAt: z.number(),
  identifies: z.record(z.string(), Identify),
  /** When each of Discord's identify buckets was last used, or will be. */
  buckets: z.record(z.string(), z.number()),
});
export type ClusterState = z.output<typeof ClusterState>;

export const newClusterState: ClusterState = {
  count: 0,
  next: null,
  epoch: 0,
  closedUntil: 0,
  members: {},
  leases: {},
  failed: 0,
  failedAt: 0,
  identifies: {},
  buckets: {},
};

/** An unreadable state is a new one: every process shows again what it has connected. */
export const clusterStates = collection({ name: 'cluster', schema: ClusterState, unreadable: 'none' });
const KEY = 'state';

/**
 * Changes the state, and resolves with what the change comes to. `now`: the store's clock. The change may be computed more
 * than once. Rejects where the store fails.
 */
export type UpdateCluster = <Result extends { readonly state: ClusterState }>(
  change: (state: ClusterState, now: number) => Result,
) => Promise<Result & { readonly now: number }>;

export function createClusterUpdate(documents: Documents): UpdateCluster {
  return (changed) =>
    change(documents, async (transaction) => {
      const before = (await transaction.read(clusterStates, KEY)) ?? newClusterState;
      const now = transaction.now();
      const result = changed(before, now);
      transaction.write(clusterStates, KEY, result.state);
      writeFences(transaction, before.leases, result.state.leases);
      return { ...result, now };
    });
}

/**
 * How long a process that is not heard of any more counts as alive (ms). Its shards are free after that, and those who
 * take them may each have to wait for a login: together that has to stay below 30 s.
 */
export const LEASE_MS = 12 * SECOND;
/** The same for shards that a setting names, which no other process takes: a file is written less often. */
const FIXED_LEASE_MS = MINUTE;
/** A process or a session that has lasted this long was a success (ms): 96 such starts fit into a day. */
export const LASTING = 15 * MINUTE;

/** How long the process is alive after a renewal, in ms; it renews at a third of that. */
export function leaseOf({ share }: Pick<Member, 'share'>): number {
  return share === null ? LEASE_MS : FIXED_LEASE_MS;
}

/** The processes that share out the shards, oldest first. */
export function leasingMembers({ members }: ClusterState, now: number): readonly string[] {
  return Object.entries(members)
    .filter(([, { until, share, leaving }]) => until > now && share === null && !leaving)
    .toSorted(([a, x], [b, y]) => x.since - y.since || (a < b ? -1 : 1))
    .map(([id]) => id);
}

/** The numbers of shards that are to be connected now: the present one, and the one that it is changing to. */
export function countsOf({ count, next }: ClusterState): readonly number[] {
  return [...(count === 0 ? [] : [count]), ...(next === null ? [] : [next])];
}

export function withLeases(
  state: ClusterState,
  change: (lease: Lease, shard: string) => Lease,
): ClusterState {
  const leases = Object.entries(state.leases).map(([shard, lease]) => [shard, change(lease, shard)]);
  return { ...state, leases: Object.fromEntries(leases) };
}

/** The shard's lease is a new one. */
export function withLease(state: ClusterState, shard: string, holder: string, ready: boolean): ClusterState {
  const epoch = state.epoch + 1;
  const lease = { holder, epoch, ready, offered: false, candidate: null, candidateReady: false };
  return { ...state, epoch, leases: { ...state.leases, [shard]: lease } };
}

/** These leases end: a shard with a candidate goes to that one, the others are free. */
export function withoutLeases(
  state: ClusterState,
  isOver: (lease: Lease, shard: string) => boolean,
): ClusterState {
  const [over, left] = [new Map<string, Lease>(), new Map<string, Lease>()];
  for (const [shard, lease] of Object.entries(state.leases))
    (isOver(lease, shard) ? over : left).set(shard, lease);
  const rest = { ...state, leases: Object.fromEntries(left) };
  return [...over].reduce(
    (passed, [shard, { candidate, candidateReady }]) =>
      candidate === null ? passed : withLease(passed, shard, candidate, candidateReady),
    rest,
  );
}
