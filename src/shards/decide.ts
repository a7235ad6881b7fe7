/**
 * Which process holds which shard, as one process decides it in an update: it renews its leases, hands over what it has
 * released, takes what it is short of and offers what it has too much of. Pure; every process runs the same rules, and
 * the store admits one at a time.
 */
import {
  type ClusterState,
  countsOf,
  LEASE_MS,
  type Lease,
  leasingMembers,
  withLease,
  withLeases,
  withoutLeases,
} from './cluster-state.ts';
import { failuresAt, renewed, startWait, withoutDead } from './members.ts';
import { allOf, nameOf, shardNamed } from './shard.ts';

/** The part that only the process itself knows. */
interface ProcessView {
  readonly me: string;
  readonly now: number;
  /** The shards that a setting names; null where they are leased. */
  readonly share: string | null;
  /** Shards whose connection is up. */
  readonly connected: ReadonlySet<string>;
  /** Shards whose guilds are no longer served here. */
  readonly released: ReadonlySet<string>;
  /** How many shards may be connecting at a time. */
  readonly concurrency: number;
  /** This process is about to stop. */
  readonly leaving: boolean;
  /** As last seen; null before. */
  readonly known: ClusterState | null;
}

/** Crashes in a row from which on nothing is moved for balance: every move costs an identify. */
const RESTLESS = 2;

export function decide(before: ClusterState, view: ProcessView): ClusterState {
  const { me, now, share, leaving } = view;
  const alive = withoutDead(renewed(restored(before, view), me, now, { share, leaving }), now);
  if (share !== null) return alive;
  const handedOver = withoutReleased(withReady(alive, view), view);
  const state = grown(handedOver);
  return leaving
    ? withAllOffered(state, view)
    : withOneOffered(withOneMore(reclaimed(state, view), view), view);
}

/** The shards that this process should be connected to. */
export function wantedBy({ leases }: ClusterState, me: string): readonly string[] {
  return Object.entries(leases)
    .filter(([, { holder, candidate }]) => holder === me || candidate === me)
    .map(([shard]) => shard);
}

/** Its holder is to release the shard now: the candidate is connected, or the count is no longer used. */
export function isToBeReleased(state: ClusterState, shard: string): boolean {
  const lease = state.leases[shard];
  return lease !== undefined && (lease.candidateReady || !isInUse(state, shard));
}

/** Leases are about to change hands, so that the next update is worth making soon. */
export function isMoving(state: ClusterState): boolean {
  const leases = Object.entries(state.leases);
  return (
    state.next !== null ||
    leases.some(([shard, { candidate, offered }]) => candidate !== null || offered || !isInUse(state, shard))
  );
}

/**
 * With the number of shards as a process that starts would have it: `asked` by its setting, or `recommended` by
 * Discord. Where others have some it changes while they serve: the new shards are connected beside the present ones.
 * Discord's recommendation only ever adds shards to those in use.
 */
export function withCount(
  state: ClusterState,
  { asked, recommended }: { readonly asked: number | null; readonly recommended: number },
): ClusterState {
  if (state.count === 0 || Object.keys(state.leases).length === 0)
    return { ...state, count: asked ?? recommended, next: null };
  const present = state.next ?? state.count;
  const wanted = asked ?? Math.max(recommended, present);
  if (wanted === present) return state;
  return { ...state, next: wanted === state.count ? null : wanted };
}

function isInUse(state: ClusterState, shard: string): boolean {
  return countsOf(state).includes(shardNamed(shard).count);
}

/** After the store has lost its data: the number of shards as it was, and epochs that go on growing. */
function restored(state: ClusterState, { known, now }: ProcessView): ClusterState {
  if (state.count > 0 || known === null) return state;
  const { count, epoch } = known;
  return { ...state, count, epoch: Math.max(state.epoch, epoch), closedUntil: now + LEASE_MS };
}

function withReady(state: ClusterState, { me, connected }: ProcessView): ClusterState {
  return withLeases(state, (lease, shard) => ({
    ...lease,
    ready: lease.ready || (lease.holder === me && connected.has(shard)),
    candidateReady: lease.candidateReady || (lease.candidate === me && connected.has(shard)),
  }));
}

/** Shards that this process has released go to their candidates; those of a count that is not used any more end. */
function withoutReleased(state: ClusterState, { me, released }: ProcessView): ClusterState {
  return withoutLeases(
    state,
    ({ holder }, shard) => holder === me && released.has(shard) && isToBeReleased(state, shard),
  );
}

/** The new number of shards is in use as soon as all of them are connected. */
function grown(state: ClusterState): ClusterState {
  if (state.next === null) return state;
  const isReady = allOf(state.next).every((shard) => state.leases[nameOf(shard)]?.ready === true);
  return isReady ? { ...state, count: state.next, next: null } : state;
}

/** Shards that are connected here stay here. */
function reclaimed(state: ClusterState, { me, connected }: ProcessView): ClusterState {
  const lost = [...connected].filter((shard) => state.leases[shard] === undefined && isInUse(state, shard));
  return lost.reduce((left, shard) => withLease(left, shard, me, true), state);
}

/** Up to its part, the process takes one shard that is free, or becomes the candidate for one that is offered. */
function withOneMore(state: ClusterState, { me, now, connected, concurrency }: ProcessView): ClusterState {
  const mine = wantedBy(state, me);
  // A time further ahead was written before the clock was set back.
  if (state.closedUntil > now && state.closedUntil <= now + LEASE_MS) return state;
  if (mine.filter((shard) => !connected.has(shard)).length >= concurrency) return state;
  const members = leasingMembers(state, now).length;
  for (const count of countsOf(state)) {
    const own = mine.filter((shard) => shardNamed(shard).count === count);
    if (own.length >= Math.ceil(count / members)) continue;
    const all = allOf(count).map(nameOf);
    // After too many crashes it may be a shard that crashes every process that takes it.
    const free =
      startWait(state, now) > 0 ? undefined : all.find((shard) => state.leases[shard] === undefined);
    if (free !== undefined) return withLease(state, free, me, connected.has(free));
    const offered = all.find((shard) => isAvailable(state.leases[shard], me));
    if (offered !== undefined)
      return withLeases(state, (lease, shard) => (shard === offered ? { ...lease, candidate: me } : lease));
  }
  return state;
}

function isAvailable(lease: Lease | undefined, me: string): boolean {
  return lease?.offered === true && lease.candidate === null && lease.holder !== me;
}

function withAllOffered(state: ClusterState, { me }: ProcessView): ClusterState {
  return withLeases(state, (lease) => (lease.holder === me ? { ...lease, offered: true } : lease));
}

/** Offers one shard where another process has too few; nothing else may be moving. */
function withOneOffered(state: ClusterState, { me, now }: ProcessView): ClusterState {
  const members = leasingMembers(state, now);
  if (!members.includes(me) || state.next !== null) return state;
  const names = allOf(state.count).map(nameOf);
  const parts = new Map(members.map((id): [string, string[]] => [id, []]));
  for (const shard of names) parts.get(state.leases[shard]?.holder ?? '')?.push(shard);
  const sizes = [...parts.values()].map(({ length }) => length);
  const [fewest, most] = [Math.min(...sizes), Math.max(...sizes)];
  const isUneven = most - fewest > 1 && failuresAt(state, now) < RESTLESS;
  // The process that was to take it is gone.
  if (!isUneven)
    return withLeases(state, (lease) => (isMineAlone(lease, me) ? { ...lease, offered: false } : lease));
  const giver = members.find((id) => parts.get(id)?.length === most);
  const last = parts.get(me)?.at(-1);
  if (giver !== me || last === undefined || !names.every((shard) => isSettled(state, shard, now)))
    return state;
  return withLeases(state, (lease, shard) => (shard === last ? { ...lease, offered: true } : lease));
}

function isMineAlone({ holder, candidate }: Lease, me: string): boolean {
  return holder === me && candidate === null;
}

/** Held by a process that is alive, connected, and not about to be handed over. */
function isSettled(state: ClusterState, shard: string, now: number): boolean {
  const lease = state.leases[shard];
  if (lease === undefined || !lease.ready || lease.offered || lease.candidate !== null) return false;
  return (state.members[lease.holder]?.until ?? 0) > now;
}
