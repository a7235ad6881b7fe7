/** One process's view of the fleet: looks at it from time to time, and follows what it finds. */
import type { Clock } from '../clock.ts';
import type { Proof } from '../store/board-records.ts';
import type { Agree } from './agree.ts';
import { type Connections, createConnections, type ShardDriver } from './connections.ts';
import { ALIVE, BEAT, type Fleet } from './fleet.ts';
import { type Keeping, leaseProof, unleased } from './keeping.ts';
import { hasGuild, nameOf, shardNamed, shardOf } from './shard.ts';
import { nameOfShare, type Share } from './share.ts';
import { isDue, isMoving, takeTurn, wantedBy } from './turn.ts';

export interface LookerParts {
  readonly me: string;
  readonly share: Share;
  readonly agree: Agree;
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
}

/** Ends the work for some guilds, which another process goes on with; resolves when none is under way. */
export type Release = (has: (guildId: string | null) => boolean) => Promise<void>;

/** The wait in ms before the next look while leases change hands, and after the store has failed. */
const SOON = 500;

export interface Looker extends Keeping {
  readonly connections: Connections;
  /** The fleet as last seen; null before the first look. */
  readonly fleet: () => Fleet | null;
  /** Looks at once, and from then on again and again. Rejects where the store fails; the next look comes anyway. */
  look(): Promise<void>;
  leaving(): void;
  stop(): void;
}

export function createLooker(parts: LookerParts): Looker {
  const { me, share, agree, clock } = parts;
  const fixed = share.kind === 'fixed' ? share.shards.map(nameOf) : null;
  const yielding = new Set<string>();
  const yielded = new Set<string>();
  let fleet: Fleet | null = null;
  /** Of the monotonic clock; the store's own time for this process ends later. */
  let aliveUntil = Number.NEGATIVE_INFINITY;
  /** The store's clock minus the monotonic one. */
  let offset = 0;
  let [leaving, stopped, isAway] = [false, false, false];
  let nextAt = Number.POSITIVE_INFINITY;
  let keptBefore = '';
  let cancel = (): void => {};
  let looking: Promise<void> = Promise.resolve();
  const connections = createConnections({ ...parts, changed: () => again(0) });

  function again(ms: number): void {
    const at = clock.monotonic() + ms;
    if (stopped || at >= nextAt) return;
    cancel();
    nextAt = at;
    cancel = clock.after(ms, () => {
      nextAt = Number.POSITIVE_INFINITY;
      look().catch(() => {});
    });
  }

  /** One look at a time; what has changed during one is seen by the next. */
  function look(): Promise<void> {
    const done = looking.then(lookOnce);
    looking = done.catch((error: unknown) => {
      if (!isAway) parts.failed(error);
      isAway = true;
      again(SOON);
    });
    return done;
  }

  async function lookOnce(): Promise<void> {
    const asked = clock.monotonic();
    const seen = await agree((before, now) => ({
      fleet: takeTurn(before, {
        ...{ me, now, share: nameOfShare(share), leaving, yielded, atOnce: parts.atOnce, known: fleet },
        connected: connections.up,
      }),
    }));
    isAway = false;
    learn(seen.fleet, asked, seen.now);
    again(isMoving(seen.fleet) ? SOON : untilNews(seen.fleet, seen.now));
  }

  function learn(seen: Fleet, asked: number, now: number): void {
    const processes = Object.keys(seen.members).length;
    if (processes !== Object.keys(fleet?.members ?? {}).length) parts.processes(processes);
    fleet = seen;
    aliveUntil = asked + ALIVE;
    offset = now - asked;
    const wanted = fixed ?? wantedBy(seen, me);
    for (const shard of yielded) if (seen.leases[shard]?.holder !== me) yielded.delete(shard);
    connections.want(wanted, parts.atOnce);
    for (const shard of wanted)
      if (seen.leases[shard]?.holder === me && isDue(seen, shard)) void giveUp(shard);
    const kept = wanted.filter(isKept).join();
    if (kept !== keptBefore) parts.kept();
    keptBefore = kept;
  }

  function isKept(shard: string): boolean {
    const isOurs = fixed !== null || fleet?.leases[shard]?.holder === me;
    return isOurs && connections.up.has(shard) && !yielding.has(shard);
  }

  async function giveUp(shard: string): Promise<void> {
    if (yielding.has(shard)) return;
    yielding.add(shard);
    try {
      await parts.release((guildId) => hasGuild(shardNamed(shard), guildId));
      yielded.add(shard);
    } catch (error) {
      parts.failed(error);
    }
    yielding.delete(shard);
    again(0);
  }

  function proofOf(guildId: string | null): Proof | null {
    const now = clock.monotonic();
    if (fixed !== null) return fixed.some((shard) => hasGuild(shardNamed(shard), guildId)) ? unleased : null;
    if (fleet === null || now >= aliveUntil) return null;
    return leaseProof(fleet, guildId, { me, now: now + offset, yielded });
  }

  return {
    connections,
    fleet: () => fleet,
    look,
    proofOf,
    keeps(guildId) {
      if (stopped) return false;
      const proof = proofOf(guildId);
      if (proof === null) return false;
      const shard = proof.shard === '' ? nameOfFixed(fixed, guildId) : proof.shard;
      return connections.up.has(shard) && !yielding.has(shard);
    },
    leaving() {
      leaving = true;
    },
    stop() {
      stopped = true;
      cancel();
    },
  };
}

function nameOfFixed(fixed: readonly string[] | null, guildId: string | null): string {
  return fixed?.find((shard) => hasGuild(shardNamed(shard), guildId)) ?? nameOf(shardOf(guildId, 1));
}

/** The next beat, or the moment at which another process's life ends unless it is heard of before. */
function untilNews({ members }: Fleet, now: number): number {
  const ends = Object.values(members).map(({ until }) => until - now + 1);
  return Math.max(1, Math.min(BEAT, ...ends));
}
