/**
 * The processes of one bot and what they have agreed on: one document in the store, changed by one process at a
 * time. All times are the store's clock in unix milliseconds.
 */
import { z } from 'zod';
import { MINUTE } from '../base/duration.ts';

const Member = z.object({
  since: z.number(),
  /** It is alive, and its leases count, until then; renewed by every turn. */
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
  fence: z.int(),
  /** The holder's connection has been up. */
  ready: z.boolean(),
  /** The holder has more than its share. */
  offered: z.boolean(),
  /** Who connects the shard before the holder leaves it. */
  heir: z.string().nullable(),
  heirReady: z.boolean(),
});
export type Lease = z.output<typeof Lease>;

/** The newest identify of a shard. */
const Identify = z.object({
  by: z.string(),
  at: z.number(),
  /** How many directly before it were by the same process, each shortly after the one before. */
  repeats: z.int(),
});

export const ClusterState = z.object({
  /** When it was last changed. */
  at: z.number(),
  /** How many shards there are; 0 before the first process has said. */
  count: z.int(),
  /** How many there will be once all of those are connected; null while nothing changes. */
  next: z.int().nullable(),
  /** Of the newest lease. */
  fence: z.int(),
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
  ...{ at: 0, count: 0, next: null, fence: 0, closedUntil: 0, members: {}, leases: {} },
  ...{ failed: 0, failedAt: 0, identifies: {}, buckets: {} },
};

/**
 * How long a process that is not heard of any more counts as alive; it renews at a third of that (ms). Its shards are
 * free after that, and those who take them may each have to wait for a login: together that has to stay below 30 s.
 */
export const LEASE_MS = 12_000;
export const RENEW_EVERY = LEASE_MS / 3;
/** A process or a session that has lasted this long was a success (ms): 96 such starts fit into a day. */
export const LASTING = 15 * MINUTE;

export function isAlive(fleet: ClusterState, id: string | null, now: number): boolean {
  return id !== null && (fleet.members[id]?.until ?? 0) > now;
}

/** The processes that share out the shards, oldest first. */
export function leasingMembers(fleet: ClusterState, now: number): readonly string[] {
  return Object.entries(fleet.members)
    .filter(([, { until, share, leaving }]) => until > now && share === null && !leaving)
    .toSorted(([a, x], [b, y]) => x.since - y.since || (a < b ? -1 : 1))
    .map(([id]) => id);
}

/** The numbers of shards that are to be connected now: the present one, and the one that it is changing to. */
export function countsOf({ count, next }: ClusterState): readonly number[] {
  return [...(count === 0 ? [] : [count]), ...(next === null ? [] : [next])];
}
