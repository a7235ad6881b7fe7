/** Processes of one bot on virtual time: the real fleet over a store in memory and a gateway that is told to fail. */
import type { Clock } from '../../../src/base/clock.ts';
import { type Cluster, createCluster } from '../../../src/shards/cluster.ts';
import { ClusterState } from '../../../src/shards/cluster-state.ts';
import type { ShardDriver } from '../../../src/shards/connections.ts';
import { createIdentifyQueue } from '../../../src/shards/identify-queue.ts';
import { nameOf, type Shard } from '../../../src/shards/shard.ts';
import type { Share } from '../../../src/shards/share.ts';
import { createClusterUpdate } from '../../../src/shards/update-cluster.ts';
import type { SharedDocument } from '../../../src/store/shared-document.ts';
import { VirtualTime } from '../../sim/virtual-time.ts';
import { createMemoryDocument } from './memory-document.ts';

const START = Date.UTC(2026, 2, 5, 12);
/** From IDENTIFY to the last guild, in ms. */
const LOGIN = 700;

export interface Identified {
  readonly at: number;
  readonly by: string;
  readonly shard: Shard;
}

export interface TestProcess {
  readonly id: string;
  readonly keeper: Cluster;
  /** Resolves with the start; rejects where it failed. */
  readonly started: Promise<void>;
  /** The shards whose connection is up. */
  readonly up: ReadonlySet<string>;
  readonly waits: number[];
  /** The size of the fleet, as last told. */
  processes: number;
  /** It is gone at once. */
  kill(): void;
  /** It stands still for so long: nothing happens in it, and its connections stay up. */
  freeze(ms: number): void;
  stop(): Promise<void>;
}

export function createFleetStage(
  options: { readonly concurrency?: number; readonly recommended?: number } = {},
) {
  const time = new VirtualTime(START);
  const store = createMemoryDocument(time.clock);
  const identified: Identified[] = [];
  const processes: TestProcess[] = [];
  const discord = { remaining: 1000, resetIn: 3_600_000, failing: false, ...options };
  const { concurrency = 1 } = options;

  function queueFor(
    own: Pick<Parameters<typeof createIdentifyQueue>[0], 'me' | 'agree' | 'clock'>,
    waits: number[],
  ) {
    return createIdentifyQueue({
      ...own,
      limits: async () => ({ concurrency, remaining: discord.remaining, resetIn: discord.resetIn }),
      waiting: (_shard, ms) => void waits.push(ms),
    });
  }

  function start(share: Share = { kind: 'leased', count: null }): TestProcess {
    const id = `p${processes.length}`;
    const own = createOwnClock(time.clock);
    const agree = createClusterUpdate(own.document(store));
    const up = new Set<string>();
    const waits: number[] = [];
    const queue = queueFor({ me: id, agree, clock: own.clock }, waits);
    const driver = createDriver({
      ...{ up, clock: own.clock, queue },
      isFailing: () => discord.failing,
      identified: (shard) => identified.push({ at: time.elapsed, by: id, shard }),
    });
    const keeper = createCluster({
      ...{ me: id, share: () => share, agree, driver, clock: own.clock },
      gateway: async () => ({ shards: discord.recommended ?? 8, concurrency }),
      waiting: (ms) => void waits.push(ms),
      processes: (count) => {
        process.processes = count;
      },
      failed: (error) => {
        if (!store.broken && !discord.failing) throw error;
      },
    });
    const started = keeper.join();
    started.catch(() => {});
    const process: TestProcess = {
      ...{ id, keeper, started, up, waits, processes: 0, kill, freeze: own.freeze },
      async stop() {
        await time.until(keeper.handOver().then(() => keeper.leave(true)));
        kill();
      },
    };
    function kill(): void {
      own.kill();
      up.clear();
    }
    processes.push(process);
    return process;
  }

  return {
    ...{ time, store, identified, processes, discord, start },
    /** A process that only identifies. */
    queueOf(me: string) {
      const agree = createClusterUpdate(store);
      return { agree, queue: queueFor({ me, agree, clock: time.clock }, []) };
    },
    fleet: () => ClusterState.parse(JSON.parse(store.text ?? '{}')),
    /** Those who would edit a board of that guild at this moment. */
    keepersOf: (guildId: string) =>
      processes.filter(({ keeper, up }) => up.size > 0 && keeper.holds(guildId)),
    provenBy: (guildId: string) =>
      processes.filter(({ keeper, up }) => up.size > 0 && keeper.fenceOf(guildId) !== null),
  };
}

/** A guild of the shard: ids carry their time above 22 bits. */
export const guildOf = (shard: number, nth = 0, count = 8): string =>
  String((BigInt(1_000_000 * count + shard + nth * count) << 22n) + 7n);

/** A clock that a process takes with it when it dies, or that stands still with it. */
function createOwnClock(clock: Clock) {
  let isAlive = true;
  let frozenUntil = 0;
  const run = (callback: () => void): void => {
    if (!isAlive) return;
    const left = frozenUntil - clock.monotonic();
    if (left > 0) clock.after(left, () => run(callback));
    else callback();
  };
  const ifAlive = <T>(work: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      work.then(
        (value) => run(() => resolve(value)),
        (error: unknown) => run(() => reject(error)),
      );
    });
  const own: Clock = {
    now: clock.now,
    monotonic: clock.monotonic,
    after: (ms, callback) => (isAlive ? clock.after(ms, () => run(callback)) : () => {}),
  };
  return {
    clock: own,
    document: ({ read, replace }: SharedDocument): SharedDocument => ({
      read: () => (isAlive ? ifAlive(read()) : new Promise(() => {})),
      replace: (from, next) => (isAlive ? ifAlive(replace(from, next)) : new Promise(() => {})),
    }),
    freeze(ms: number) {
      frozenUntil = clock.monotonic() + ms;
    },
    kill() {
      isAlive = false;
    },
  };
}

function createDriver(parts: {
  readonly up: Set<string>;
  readonly clock: Clock;
  readonly queue: (shard: Shard, signal: AbortSignal) => Promise<void>;
  readonly isFailing: () => boolean;
  readonly identified: (shard: Shard) => void;
}): ShardDriver {
  const { up, clock, queue, isFailing, identified } = parts;
  const open = new Map<string, AbortController>();
  return {
    async connect(shard) {
      if (isFailing()) throw new Error('Discord is down');
      const controller = new AbortController();
      open.set(nameOf(shard), controller);
      await queue(shard, controller.signal);
      identified(shard);
      await new Promise<void>((resolve) => clock.after(LOGIN, resolve));
      controller.signal.throwIfAborted();
      up.add(nameOf(shard));
    },
    async disconnect(shard) {
      open.get(nameOf(shard))?.abort();
      open.delete(nameOf(shard));
      up.delete(nameOf(shard));
    },
  };
}
