/** A process joins the fleet, and goes on asking whether there are enough shards. */
import { type Clock, sleep } from '../base/clock.ts';
import { HOUR } from '../base/duration.ts';
import { every } from '../base/every.ts';
import { patiently } from '../store/patiently.ts';
import { type ClusterState, leasingMembers } from './cluster-state.ts';
import { withCount } from './count.ts';
import { renewed, startWait, withoutDead } from './membership.ts';
import { nameOfShare, type Share } from './share.ts';
import type { UpdateCluster } from './update-cluster.ts';

export interface JoinParts {
  readonly me: string;
  readonly agree: UpdateCluster;
  readonly clock: Clock;
  /** What Discord says: how many shards it recommends, and how many may connect at a time. */
  readonly gateway: () => Promise<{ readonly shards: number; readonly concurrency: number }>;
  /** The start, or shards without a process, wait this long because of earlier crashes. */
  readonly waiting: (ms: number, failed: number) => void;
  readonly failed: (error: unknown) => void;
}

/** How often Discord is asked how many shards the bot needs, in ms: a shard has room for 1500 guilds by then. */
const ASK_AGAIN = HOUR;

/** Resolves when it has joined, after a wait where starts have failed before, or where the store is away for a moment. */
export async function joinFleet(share: Share, recommended: number, parts: JoinParts): Promise<void> {
  const { me, agree, clock, waiting } = parts;
  const name = nameOfShare(share);
  const join = (before: ClusterState, now: number) => {
    const fleet = withoutDead(before, now, name);
    const { failed } = fleet;
    // Beside others it can join at once: shards that nobody has wait for themselves.
    const wait = share.kind === 'leased' && leasingMembers(fleet, now).length > 0 ? 0 : startWait(fleet, now);
    if (wait > 0) return { fleet, wait, failed };
    const counted =
      share.kind === 'fixed' ? fleet : withCount(fleet, { asked: share.count, recommended, now });
    return { fleet: renewed(counted, me, now, { share: name }), wait, failed };
  };
  for (;;) {
    const { wait, failed } = await patiently(() => agree(join), { clock, waiting: parts.failed });
    if (wait === 0) return;
    waiting(wait, Math.floor(failed));
    await sleep(clock, wait);
  }
}

/** Lets the number of shards grow with the bot, until the returned function is called. */
export function growWithDiscord({ agree, clock, gateway, failed }: JoinParts): () => Promise<void> {
  const ask = async (): Promise<void> => {
    const { shards: recommended } = await gateway();
    await agree((fleet, now) => ({ fleet: withCount(fleet, { asked: null, recommended, now }) }));
  };
  return every(clock, ASK_AGAIN, ask, failed).stop;
}
