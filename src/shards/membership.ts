/** Who belongs to the fleet, and who crashed. Pure: each function makes a new fleet. */
import { MINUTE } from '../base/duration.ts';
import {
  type ClusterState,
  LASTING,
  LEASE_MS,
  type Lease,
  type Member,
  RENEW_EVERY,
} from './cluster-state.ts';

/** This many crashes in a row are free. */
const FREE = 2;
/** The wait after the next one, in ms; it doubles from crash to crash. */
const FIRST_WAIT = 10_000;
const LONGEST_WAIT = 15 * MINUTE;
/** What a crash counts where other processes have shards and carry on: some in a row must not stop them. */
const COVERED = 1 / 8;

/** Whether two settings name the same shards, so that the later process replaces the earlier one. */
const isSameShare = (a: Member, share: string | null): boolean => share !== null && a.share === share;

/**
 * Removes the processes that died. `share`: that of a process about to start, whose predecessor is dead although it
 * may look alive for some seconds.
 */
export function withoutDead(fleet: ClusterState, now: number, share: string | null = null): ClusterState {
  // A later end than any process can have was written before the clock was set back.
  const members = mapValues(fleet.members, (member) => ({
    ...member,
    until: Math.min(member.until, now + LEASE_MS),
  }));
  const dead = Object.entries(members).filter(([, each]) => each.until <= now || isSameShare(each, share));
  return dead.reduce((left, [id]) => crashed(left, id, now), { ...fleet, members });
}

/** A process ended without saying so, or because of an error. */
export function crashed(fleet: ClusterState, id: string, now: number): ClusterState {
  const member = fleet.members[id];
  const left = departed(fleet, id);
  const began = member?.identified ?? null;
  if (member === undefined || began === null || member.until - began >= LASTING + LEASE_MS) return left;
  const isCovered = member.share === null && Object.values(left.leases).some(({ ready }) => ready);
  return { ...left, failed: failuresAt(fleet, now) + (isCovered ? COVERED : 1), failedAt: now };
}

/** An orderly end: no failure. Leases go to the heirs that are ready, the others are free. */
export function departed(fleet: ClusterState, id: string): ClusterState {
  const { [id]: _gone, ...members } = fleet.members;
  const identifies = Object.entries(fleet.identifies).filter(([, { by }]) => by !== id);
  let { fence } = fleet;
  const leases = Object.entries(fleet.leases).flatMap(([shard, lease]): [string, Lease][] => {
    const kept = lease.heir === id ? { ...lease, heir: null, heirReady: false } : lease;
    if (kept.holder !== id) return [[shard, kept]];
    if (kept.heir === null) return [];
    fence += 1;
    return [[shard, inherited(kept, kept.heir, fence)]];
  });
  return {
    ...fleet,
    ...{ members, fence },
    leases: Object.fromEntries(leases),
    identifies: Object.fromEntries(identifies),
  };
}

/** The lease after it has passed to the heir. */
export function inherited({ heirReady }: Lease, heir: string, fence: number): Lease {
  return { holder: heir, fence, ready: heirReady, offered: false, heir: null, heirReady: false };
}

/** Adds the process, or extends its life. */
export function renewed(
  fleet: ClusterState,
  id: string,
  now: number,
  news: Partial<Member> = {},
): ClusterState {
  const known = fleet.members[id] ?? { since: now, share: null, leaving: false, identified: null };
  const pause = now - fleet.at;
  // Where no process could write for so long, the store was away, and their silence means nothing.
  const silence = fleet.members[id] !== undefined && pause > 2 * RENEW_EVERY ? pause - RENEW_EVERY : 0;
  const excused = mapValues(fleet.members, (each) => ({ ...each, until: each.until + silence }));
  const me = { ...known, ...news, until: now + LEASE_MS };
  const hasLasted =
    me.identified !== null && now - me.identified >= LASTING && fleet.failedAt < me.identified;
  return {
    ...fleet,
    at: now,
    failed: hasLasted ? 0 : failuresAt(fleet, now),
    members: { ...excused, [id]: me },
  };
}

/** Crashes in a row. They are forgotten when none has come for twice the time that a start has to last. */
export function failuresAt({ failed, failedAt }: ClusterState, now: number): number {
  return now - failedAt > 2 * LASTING ? 0 : failed;
}

/** How long the next start, or a shard that nobody has, has to wait because of the crashes before, in ms. */
export function startWait(fleet: ClusterState, now: number): number {
  const wait = waitAfter(failuresAt(fleet, now), fleet.failedAt) - now;
  return Math.min(LONGEST_WAIT, Math.max(0, wait));
}

/** When the next try may begin, `tries` failed ones after another. */
export function waitAfter(tries: number, since: number): number {
  const failed = Math.floor(tries);
  return failed < FREE ? since : since + Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (failed - FREE));
}

function mapValues<T>(all: Readonly<Record<string, T>>, change: (each: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(all).map(([key, each]) => [key, change(each)]));
}
