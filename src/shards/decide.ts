/**
 * What one process changes in its turn at the fleet: it shows that it is alive, passes on what it has given up,
 * takes what it is short of and offers what it has too much of. Pure; every process runs the same rules, and the
 * store admits one at a time.
 */
import {
  type ClusterState,
  countsOf,
  isAlive,
  LEASE_MS,
  type Lease,
  leasingMembers,
} from './cluster-state.ts';
import { failuresAt, inherited, renewed, startWait, withoutDead } from './membership.ts';
import { allOf, nameOf, shardNamed } from './shard.ts';

/** What the process itself brings to its turn. */
export interface OwnView {
  readonly me: string;
  readonly now: number;
  /** The shards that a setting names; null where they are leased. */
  readonly share: string | null;
  /** Shards whose connection is up. */
  readonly connected: ReadonlySet<string>;
  /** Shards whose guilds are no longer kept here. */
  readonly yielded: ReadonlySet<string>;
  /** How many shards may be connecting at a time. */
  readonly atOnce: number;
  /** This process is about to stop. */
  readonly leaving: boolean;
  /** As last seen; null before. */
  readonly known: ClusterState | null;
}

/** Crashes in a row from which on nothing is moved for balance: every move costs an identify. */
const RESTLESS = 2;

export function decide(before: ClusterState, own: OwnView): ClusterState {
  const { me, now, share, leaving } = own;
  const alive = withoutDead(renewed(recalled(before, own), me, now, { share, leaving }), now);
  if (share !== null) return alive;
  const passed = passOn(reportReady(alive, own), own);
  const grown = grow(dropOld(passed, own));
  if (leaving) return grown;
  return offer(claim(reclaim(grown, own), own), own);
}

/** The shards that this process should be connected to. */
export function wantedBy({ leases }: ClusterState, me: string): readonly string[] {
  return Object.entries(leases)
    .filter(([, { holder, heir }]) => holder === me || heir === me)
    .map(([shard]) => shard);
}

/** Whether somebody waits for this process to give the shard up. */
export function isDue(fleet: ClusterState, shard: string): boolean {
  const lease = fleet.leases[shard];
  return lease !== undefined && (lease.heirReady || !countsOf(fleet).includes(shardNamed(shard).count));
}

/** Whether leases are about to change hands, so that the next turn is worth taking soon. */
export function isMoving(fleet: ClusterState): boolean {
  const { leases, members, next } = fleet;
  const isAnyLeaving = Object.values(members).some(({ leaving }) => leaving);
  const isAnyPassed = Object.values(leases).some(({ heir, offered }) => heir !== null || offered);
  const isAnyOld = Object.keys(leases).some((shard) => !countsOf(fleet).includes(shardNamed(shard).count));
  return next !== null || isAnyLeaving || isAnyPassed || isAnyOld;
}

function withLeases(fleet: ClusterState, change: (lease: Lease, shard: string) => Lease): ClusterState {
  const leases = Object.entries(fleet.leases).map(([shard, lease]) => [shard, change(lease, shard)]);
  return { ...fleet, leases: Object.fromEntries(leases) };
}

function reportReady(fleet: ClusterState, { me, connected }: OwnView): ClusterState {
  return withLeases(fleet, (lease, shard) => ({
    ...lease,
    ready: lease.ready || (lease.holder === me && connected.has(shard)),
    heirReady: lease.heirReady || (lease.heir === me && connected.has(shard)),
  }));
}

/** Leases given up go to their heirs. */
function passOn(fleet: ClusterState, { me, yielded }: OwnView): ClusterState {
  let { fence } = fleet;
  const passed = withLeases(fleet, (lease, shard) => {
    if (lease.holder !== me || !yielded.has(shard) || lease.heir === null) return lease;
    fence += 1;
    return inherited(lease, lease.heir, fence);
  });
  return { ...passed, fence };
}

/** Leases of a number of shards that is no longer used end once their holder keeps nothing by them. */
function dropOld(fleet: ClusterState, { me, yielded }: OwnView): ClusterState {
  const counts = countsOf(fleet);
  const left = Object.entries(fleet.leases).filter(
    ([shard, { holder }]) => counts.includes(shardNamed(shard).count) || holder !== me || !yielded.has(shard),
  );
  return { ...fleet, leases: Object.fromEntries(left) };
}

/** The new number of shards is in use as soon as all of them are connected. */
function grow(fleet: ClusterState): ClusterState {
  if (fleet.next === null) return fleet;
  const isReady = allOf(fleet.next).every((shard) => fleet.leases[nameOf(shard)]?.ready === true);
  return isReady ? { ...fleet, count: fleet.next, next: null } : fleet;
}

/** After the store has lost its data: the number of shards as it was, and fences that go on growing. */
function recalled(fleet: ClusterState, { known, now }: OwnView): ClusterState {
  if (fleet.count > 0 || known === null) return fleet;
  const { count, fence } = known;
  return { ...fleet, count, fence: Math.max(fleet.fence, fence), closedUntil: now + LEASE_MS };
}

/** What is connected here stays here. */
function reclaim(fleet: ClusterState, { me, connected }: OwnView): ClusterState {
  const lost = [...connected].filter(
    (shard) => fleet.leases[shard] === undefined && countsOf(fleet).includes(shardNamed(shard).count),
  );
  return lost.reduce((left, shard) => leased(left, shard, me, true), fleet);
}

function leased(fleet: ClusterState, shard: string, holder: string, ready: boolean): ClusterState {
  const fence = fleet.fence + 1;
  const lease = { holder, fence, ready, offered: false, heir: null, heirReady: false };
  return { ...fleet, fence, leases: { ...fleet.leases, [shard]: lease } };
}

/** Takes one shard that is free, or becomes the heir of one that is available, up to its share. */
function claim(fleet: ClusterState, { me, now, connected, atOnce }: OwnView): ClusterState {
  const mine = wantedBy(fleet, me);
  // A time further ahead was written before the clock was set back.
  if (fleet.closedUntil > now && fleet.closedUntil <= now + LEASE_MS) return fleet;
  if (mine.filter((shard) => !connected.has(shard)).length >= atOnce) return fleet;
  const members = leasingMembers(fleet, now).length;
  for (const count of countsOf(fleet)) {
    if (mine.filter((shard) => shardNamed(shard).count === count).length >= Math.ceil(count / members))
      continue;
    const all = allOf(count).map(nameOf);
    // After too many crashes it may be a shard that crashes every process that takes it.
    const free =
      startWait(fleet, now) > 0 ? undefined : all.find((shard) => fleet.leases[shard] === undefined);
    if (free !== undefined) return leased(fleet, free, me, connected.has(free));
    const open = all.find((shard) => isAvailable(fleet, shard, me));
    if (open !== undefined)
      return withLeases(fleet, (lease, shard) => (shard === open ? { ...lease, heir: me } : lease));
  }
  return fleet;
}

function isAvailable({ leases, members }: ClusterState, shard: string, me: string): boolean {
  const lease = leases[shard];
  if (lease === undefined || lease.heir !== null || lease.holder === me) return false;
  return lease.offered || members[lease.holder]?.leaving === true;
}

/** Offers one shard where another process has too few; nothing else may be moving. */
function offer(fleet: ClusterState, { me, now }: OwnView): ClusterState {
  const members = leasingMembers(fleet, now);
  if (!members.includes(me) || fleet.next !== null) return fleet;
  const names = allOf(fleet.count).map(nameOf);
  const held = new Map(members.map((id): [string, string[]] => [id, []]));
  for (const shard of names) held.get(fleet.leases[shard]?.holder ?? '')?.push(shard);
  const counts = [...held.values()].map(({ length }) => length);
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
  const isUneven = most - fewest > 1 && failuresAt(fleet, now) < RESTLESS;
  // The process that was to take it is gone.
  if (!isUneven)
    return withLeases(fleet, (lease) => (isMineAlone(lease, me) ? { ...lease, offered: false } : lease));
  const giver = members.find((id) => held.get(id)?.length === most);
  const given = held.get(me)?.at(-1);
  if (giver !== me || given === undefined || !names.every((shard) => isQuiet(fleet, shard, now)))
    return fleet;
  return withLeases(fleet, (lease, shard) => (shard === given ? { ...lease, offered: true } : lease));
}

function isMineAlone({ holder, heir }: Lease, me: string): boolean {
  return holder === me && heir === null;
}

/** Held by a process that stays, connected, and on its way to nobody. */
function isQuiet(fleet: ClusterState, shard: string, now: number): boolean {
  const lease = fleet.leases[shard];
  if (lease === undefined || !lease.ready || lease.offered || lease.heir !== null) return false;
  return isAlive(fleet, lease.holder, now) && fleet.members[lease.holder]?.leaving === false;
}
