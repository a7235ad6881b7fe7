/** One process's part in the fleet, from its start to its end. */
import type { Clock } from '../clock.ts';
import { withCount } from './count.ts';
import { isAlive, leasingMembers } from './fleet.ts';
import { createLooker, type Looker, type LookerParts, type Release } from './looker.ts';
import { crashed, departed, renewed, startWait, withoutDead } from './membership.ts';
import { nameOfShare } from './share.ts';
import { wantedBy } from './turn.ts';
import type { Keeping } from './keeping.ts';

export interface KeeperParts extends LookerParts {
  /** How many shards Discord recommends. */
  readonly recommended: number;
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
  /** Called before a shard is given up. */
  onRelease(release: Release): void;
  /** Leaves the fleet. `inOrder`: false after an error, which counts as a failed start unless it has lasted. */
  end(inOrder: boolean): Promise<void>;
}

/** How long a stopping process waits for others to take over, in ms. */
const HANDOVER = 15_000;
const LOOK_EVERY = 250;

export function createShardKeeper(parts: KeeperParts): ShardKeeper {
  const { me, share, agree, clock } = parts;
  const looker = createLooker(parts);
  let joined = false;

  /** The time to wait before joining, in ms; 0: it has joined. */
  async function join(): Promise<number> {
    const { wait, failed } = await agree((before, now) => {
      const fleet = withoutDead(before, now, nameOfShare(share));
      const wait = startWait(fleet, now);
      if (wait > 0) return { fleet, wait, failed: fleet.failed };
      const counted =
        share.kind === 'fixed'
          ? fleet
          : withCount(fleet, { asked: share.count, recommended: parts.recommended, now });
      return { fleet: renewed(counted, me, now, { share: nameOfShare(share) }), wait, failed: fleet.failed };
    });
    if (wait > 0) parts.waiting(wait, Math.floor(failed));
    return wait;
  }

  return {
    keeps: looker.keeps,
    proofOf: looker.proofOf,
    onRelease: looker.onRelease,
    async start() {
      for (let wait = await join(); wait > 0; wait = await join()) await sleep(clock, wait);
      joined = true;
      await looker.look();
      await looker.connections.first();
    },
    async handOver() {
      if (!joined || share.kind === 'fixed') return;
      looker.leaving();
      const until = clock.monotonic() + HANDOVER;
      await looker.look().catch(parts.failed);
      while (clock.monotonic() < until && isAwaited(looker, me)) await sleep(clock, LOOK_EVERY);
    },
    async end(inOrder) {
      looker.stop();
      if (!joined) return;
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
