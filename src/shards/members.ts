/** Which processes are alive, and which crashed. Pure: each function makes a new state of the cluster. */
import { doubled, MINUTE, SECOND } from '../base/duration.ts';
import {
  type ClusterState,
  LASTING,
  leaseOf,
  type Member,
  withLeases,
  withoutLeases,
} from './cluster-state.ts';

/** This many crashes in a row are free. */
const FREE = 2;
/** The wait after the next one, in ms; it doubles from crash to crash. */
const WAIT = { first: 10 * SECOND, longest: 15 * MINUTE };
/** The part that a crash counts where other processes have shards and carry on: some in a row must not stop them. */
const COVERED = 1 / 8;

/** Two settings name the same shards, so that the later process replaces the earlier one. */
const isSameShare = (a: Member, share: string | null): boolean => share !== null && a.share === share;

/**
 * Removes the processes that died. `share`: that of a process about to start, whose predecessor is dead although it
 * may look alive for some time.
 */
export function withoutDead(state: ClusterState, now: number, share: string | null = null): ClusterState {
  // A later end than any process can have was written before the clock was set back.
  const members = mapValues(state.members, (member) => ({
    ...member,
    until: Math.min(member.until, now + leaseOf(member)),
  }));
  const dead = Object.entries(members).filter(([, each]) => each.until <= now || isSameShare(each, share));
  return dead.reduce((left, [id]) => crashed(left, id, now), { ...state, members });
}

/** A process ended without saying so, or because of an error. */
export function crashed(state: ClusterState, id: string, now: number): ClusterState {
  const member = state.members[id];
  const left = departed(state, id);
  const began = member?.identified ?? null;
  if (member === undefined || began === null || member.until - began >= LASTING + leaseOf(member))
    return left;
  const isCovered = member.share === null && Object.values(left.leases).some(({ ready }) => ready);
  return { ...left, failed: failuresAt(state, now) + (isCovered ? COVERED : 1), failedAt: now };
}

/** An orderly end: no failure. */
export function departed(state: ClusterState, id: string): ClusterState {
  const { [id]: _gone, ...members } = state.members;
  const identifies = Object.entries(state.identifies).filter(([, { by }]) => by !== id);
  const left = withoutLeases({ ...state, members }, ({ holder }) => holder === id);
  return {
    ...withLeases(left, (lease) =>
      lease.candidate === id ? { ...lease, candidate: null, candidateReady: false } : lease,
    ),
    identifies: Object.fromEntries(identifies),
  };
}

/** Adds the process, or renews its leases where a third of their time is over. */
export function renewed(
  state: ClusterState,
  id: string,
  now: number,
  news: Pick<Member, 'share' | 'leaving'>,
): ClusterState {
  const known = state.members[id];
  const me: Member = { since: now, identified: null, ...known, ...news, until: known?.until ?? 0 };
  const every = leaseOf(me) / 3;
  const left = me.until - now;
  const members = { ...excused(state, known === undefined ? 0 : 2 * every - left, every), [id]: me };
  const isDue = left <= 2 * every || left > 3 * every;
  if (isDue) members[id] = { ...me, until: now + 3 * every };
  const hasLasted =
    me.identified !== null && now - me.identified >= LASTING && state.failedAt < me.identified;
  return { ...state, failed: hasLasted ? 0 : failuresAt(state, now), members };
}

/**
 * A process that comes this much too late to its renewal and is still a member has found no store, and neither have the
 * others: their silence meanwhile means nothing.
 */
function excused({ members }: ClusterState, late: number, every: number): Record<string, Member> {
  if (late <= every) return members;
  return mapValues(members, (each) => ({ ...each, until: each.until + late }));
}

/** Crashes in a row. They are forgotten when none has come for twice the time that a start has to last. */
export function failuresAt({ failed, failedAt }: ClusterState, now: number): number {
  return now - failedAt > 2 * LASTING ? 0 : failed;
}

/** How long the next start, or a shard without a holder, has to wait because of the crashes before, in ms. */
export function startWait(state: ClusterState, now: number): number {
  const wait = waitAfter(failuresAt(state, now), state.failedAt) - now;
  return Math.min(WAIT.longest, Math.max(0, wait));
}

/** When the next try may begin, `tries` failed ones after another. */
export function waitAfter(tries: number, since: number): number {
  const failed = Math.floor(tries);
  return failed < FREE ? since : since + doubled(WAIT, failed - FREE);
}

function mapValues<T>(all: Readonly<Record<string, T>>, change: (each: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(all).map(([key, each]) => [key, change(each)]));
}
