/** One process's part in the fleet, from its start to its end. */
import type { Clock } from '../clock.ts';
import { withCount } from './count.ts';
import { type Fleet, isAlive, leasingMembers } from './fleet.ts';
import type { Keeping } from './keeping.ts';
import { createLooker, type Looker, type LookerParts, type Release } from './looker.ts';
import { crashed, departed, renewed, startWait, withoutDead } from './membership.ts';
import { nameOfShare, type Share } from './share.ts';
import { wantedBy } from './turn.ts';

export interface KeeperParts extends Omit<LookerParts, 'share' | 'atOnce' | 'release' | 'kept'> {
  /** What Discord says: how many shards it recommends, and how many may connect at a time. */
  readonly gateway: () => Promise<{ readonly shards: number; readonly concurrency: number }>;
  /** This process's share, by the recommended number. */
  readonly share: (recommended: number) => Share;
  /** The start waits for so long because those before it failed. */
  readonly waiting: (ms: number, failed: number) => void;
}

export interface ShardKeeper extends Keeping {
  /**
   * Joins the fleet, after a wait where starts have failed before, and resolves when its first shard is connected;
   * there may be none to be had.
   */
  start(): Promise<void>;
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
  onKept(listener: () => void): void;
  /** Leaves the fleet. `inOrder`: false after an error, which counts as a failed start unless it has lasted. */
  end(inOrder: boolean): Promise<void>;
}

/** How long a stopping process waits for others to take over, in ms. */
const HANDOVER = 15_000;
const LOOK_EVERY = 250;
/** How often Discord is asked how many shards the bot needs, in ms: a shard has room for 1500 guilds by then. */
const ASK_AGAIN = 3_600_000;

export function createShardKeeper(parts: KeeperParts): ShardKeeper {
  const { me, agree, clock } = parts;
  const releases: Release[] = [];
  const listeners: (() => void)[] = [];
  let looker: Looker | null = null;
  let cancelAsking = (): void => {};

  /** The time to wait before joining, in ms; 0: it has joined. */
  async function join(share: Share, recommended: number): Promise<number> {
    const name = nameOfShare(share);
    const { wait, failed } = await agree((before, now) => {
      const fleet = withoutDead(before, now, name);
      const { failed } = fleet;
      const wait = startWait(fleet, now);
      if (wait > 0) return { fleet, wait, failed };
      const counted =
        share.kind === 'fixed' ? fleet : withCount(fleet, { asked: share.count, recommended, now });
      return { fleet: renewed(counted, me, now, { share: name }), wait, failed };
    });
    if (wait > 0) parts.waiting(wait, Math.floor(failed));
    return wait;
  }

  /** Asks from time to time whether the bot needs more shards by now. */
  function growWithDiscord(): void {
    const ask = async (): Promise<void> => {
      try {
        const { shards: recommended } = await parts.gateway();
        await agree((fleet, now) => ({ fleet: withCount(fleet, { asked: null, recommended, now }) }));
      } catch (error) {
        parts.failed(error);
      }
      growWithDiscord();
    };
    cancelAsking = clock.after(ASK_AGAIN, () => void ask());
  }

  /** The fleet, where this process leases its shards. */
  const leasing = (): Fleet | null => {
    const fleet = looker?.fleet() ?? null;
    return fleet?.members[me]?.share === null ? fleet : null;
  };

  return {
    keeps: (guildId) => looker?.keeps(guildId) ?? false,
    proofOf: (guildId) => looker?.proofOf(guildId) ?? null,
    processes: () => Math.max(1, Object.keys(looker?.fleet()?.members ?? {}).length),
    shards: () => leasing()?.count ?? null,
    standsBy() {
      const fleet = leasing();
      return fleet !== null && wantedBy(fleet, me).length === 0;
    },
    onRelease: (release) => void releases.push(release),
    onKept: (listener) => void listeners.push(listener),
    async start() {
      const { shards, concurrency } = await parts.gateway();
      const share = parts.share(shards);
      for (let wait = await join(share, shards); wait > 0; wait = await join(share, shards))
        await sleep(clock, wait);
      const release: Release = async (has) => {
        await Promise.all(releases.map((each) => each(has)));
      };
      const kept = (): void => {
        for (const listener of listeners) listener();
      };
      looker = createLooker({ ...parts, share, release, kept, atOnce: concurrency });
      await looker.look();
      if (share.kind === 'leased' && share.count === null) growWithDiscord();
      await looker.connections.first();
    },
    async handOver() {
      if (looker === null) return;
      looker.leaving();
      const until = clock.monotonic() + HANDOVER;
      await looker.look().catch(() => {});
      while (clock.monotonic() < until && isAwaited(looker, me)) await sleep(clock, LOOK_EVERY);
    },
    async end(inOrder) {
      if (looker === null) return;
      cancelAsking();
      looker.stop();
      try {
        await agree((fleet, now) => ({ fleet: inOrder ? departed(fleet, me) : crashed(fleet, me, now) }));
      } catch (error) {
        parts.failed(error);
      }
    },
  };
}

/** Whether this process still has shards that another one could take over. */
function isAwaited(looker: Looker, me: string): boolean {
  const fleet = looker.fleet();
  if (fleet === null || wantedBy(fleet, me).length === 0) return false;
  const now = fleet.at;
  return leasingMembers(fleet, now).some((id) => id !== me && isAlive(fleet, id, now));
}

function sleep(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => clock.after(ms, resolve));
}
