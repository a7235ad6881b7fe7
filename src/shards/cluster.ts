/** One process's part in the cluster, from its start to its end. */
import type { Claims } from '../base/claims.ts';
import { within } from '../base/clock.ts';
import type { ShardsSetting } from '../base/config/shards-setting.ts';
import { HOUR, SECOND } from '../base/duration.ts';
import { every, type Repetition } from '../base/every.ts';
import { createListeners } from '../base/listeners.ts';
import { patiently } from '../store/patiently.ts';
import { type ClusterState, leasingMembers } from './cluster-state.ts';
import { isMoving, wantedBy, withCount } from './decide.ts';
import { createInteractionClaims } from './interaction-claims.ts';
import { crashed, departed, renewed, withoutDead } from './members.ts';
import { createReconciler } from './reconciler.ts';
import { allOf, shareOf } from './shard.ts';
import type { Release, ShardLeases } from './shard-leases.ts';

interface ClusterParts
  extends Omit<Parameters<typeof createReconciler>[0], 'concurrency' | 'updated' | 'changed' | 'release'> {
  /** Discord's answer: how many shards it recommends, and how many may connect at a time. */
  readonly gateway: () => Promise<{ readonly shards: number; readonly concurrency: number }>;
  /** Called with the number of live processes whenever it has changed. */
  readonly processes: (count: number) => void;
  readonly claims: Pick<Claims, 'claim'>;
  /** There can be no other process: then this one has all shards. */
  readonly isSole: boolean;
}

export interface Cluster extends ShardLeases, ReturnType<typeof createInteractionClaims> {
  /**
   * Resolves when its first shard is connected, after a wait where starts have failed before. There may be none left
   * for it.
   */
  join(): Promise<void>;
  /** Before an orderly stop: other processes connect this one's shards, which are then released one by one. */
  handOver(): Promise<void>;
  /** How many processes of this bot are alive, as far as this one knows. */
  processes(): number;
  /** How many shards the bot has in all; null where this process does not lease its own. */
  shards(): number | null;
  /** It has joined and there is no shard for it: it takes over where another process ends. */
  standsBy(): boolean;
  /** Called before a shard is released. */
  onRelease(release: Release): void;
  /** Called when this process serves other guilds than before. */
  onChange(listener: () => void): void;
  /** `inOrder`: false after an error, which counts as a failed start unless the process has lasted. */
  leave(inOrder: boolean): Promise<void>;
}

/** How long a stopping process waits for others to take over, in ms. */
const HANDOVER = 15 * SECOND;
/** How often Discord is asked how many shards the bot needs: a shard has room for 1500 guilds by then. */
const ASK_EVERY = HOUR;

const none = (): boolean => false;

export function createCluster(parts: ClusterParts): Cluster {
  const { me, update, clock, claims, isSole } = parts;
  const releases: Release[] = [];
  const changes = createListeners<[]>();
  let reconciler: ReturnType<typeof createOwn> | null = null;
  let growth: Repetition | null = null;
  let processes = 0;
  let updated = (_state: ClusterState, _now: number): void => {};

  function createOwn(setting: ShardsSetting, concurrency: number) {
    return createReconciler({
      ...parts,
      setting,
      concurrency,
      updated(state, now) {
        const before = processes;
        processes = Object.keys(state.members).length;
        if (processes !== before) parts.processes(processes);
        updated(state, now);
      },
      changed: changes.call,
      release: async (has) => void (await Promise.all(releases.map((each) => each(has)))),
    });
  }

  /** The state, where this process leases its shards. */
  const leasing = (): ClusterState | null => {
    const state = reconciler?.state() ?? null;
    return state?.members[me]?.share === null ? state : null;
  };

  /**
   * Nothing else receives the guild's interactions, or will before this process knows: it is the only one, has
   * the guild's lease, and no shard is about to change hands.
   */
  function isAlone(guildId: string | null): boolean {
    if (isSole) return true;
    const state = leasing();
    return (
      state !== null && processes <= 1 && !isMoving(state) && (reconciler?.leases.holds(guildId) ?? false)
    );
  }

  return {
    async join() {
      const { shards, concurrency } = await parts.gateway();
      const setting = isSole ? allShards(parts.setting, shards) : parts.setting;
      await patiently(() => update((state, now) => ({ state: joined(state, now, me, setting, shards) })), {
        clock,
        waiting: parts.failed,
      });
      reconciler = createOwn(setting, concurrency);
      await patiently(reconciler.reconcile, { clock, waiting: () => {} });
      if (setting.kind === 'leased' && setting.count === null)
        growth = every(clock, ASK_EVERY, () => grow(parts), parts.failed);
      await reconciler.begun;
      await reconciler.first();
    },
    async handOver() {
      if (reconciler === null) return;
      const { promise: handedOver, resolve } = Promise.withResolvers<void>();
      updated = (state, now) => {
        if (!isAwaited(state, now, me)) resolve();
      };
      reconciler.leave();
      // Where the store fails and no other process is known, nothing takes over.
      reconciler.reconcile().catch(() => processes <= 1 && resolve());
      await within(handedOver, HANDOVER, clock);
    },
    holds: (guildId) => reconciler?.leases.holds(guildId) ?? false,
    fenceOf: (guildId) => reconciler?.leases.fenceOf(guildId) ?? null,
    served: () => reconciler?.leases.served() ?? none,
    processes: () => Math.max(1, processes),
    ...createInteractionClaims(claims, isAlone, clock),
    shards: () => leasing()?.count ?? null,
    standsBy() {
      const state = leasing();
      return state !== null && wantedBy(state, me).length === 0;
    },
    onRelease: (release) => void releases.push(release),
    onChange: changes.listen,
    async leave(inOrder) {
      await Promise.all([growth?.stop(), reconciler?.stop()]);
      if (reconciler === null) return;
      try {
        await update((state, now) => ({ state: inOrder ? departed(state, me) : crashed(state, me, now) }));
      } catch (error) {
        parts.failed(error);
      }
    },
  };
}

function allShards(setting: ShardsSetting, recommended: number): ShardsSetting {
  return setting.kind === 'fixed' ? setting : { kind: 'fixed', shards: allOf(setting.count ?? recommended) };
}

function joined(
  before: ClusterState,
  now: number,
  me: string,
  setting: ShardsSetting,
  recommended: number,
): ClusterState {
  const share = shareOf(setting);
  const state = withoutDead(before, now, share);
  const counted = setting.kind === 'fixed' ? state : withCount(state, { asked: setting.count, recommended });
  return renewed(counted, me, now, { share, leaving: false });
}

/** Lets the number of shards grow with the bot. */
async function grow({ update, gateway }: ClusterParts): Promise<void> {
  const { shards: recommended } = await gateway();
  await update((state) => ({ state: withCount(state, { asked: null, recommended }) }));
}

/** This process still has shards that another one could take over. */
function isAwaited(state: ClusterState, now: number, me: string): boolean {
  return wantedBy(state, me).length > 0 && leasingMembers(state, now).some((id) => id !== me);
}
