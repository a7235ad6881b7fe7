/** Processes of one bot on virtual time: the real cluster over a store in memory and a gateway that can fail. */
import type { Clock } from '../../../src/base/clock.ts';
import type { ShardsSetting } from '../../../src/base/config/shards-setting.ts';
import { type Cluster, createCluster } from '../../../src/shards/cluster.ts';
import { type ClusterState, clusterStates, createClusterUpdate } from '../../../src/shards/cluster-state.ts';
import type { ShardDriver } from '../../../src/shards/connections.ts';
import { createIdentifyQueue } from '../../../src/shards/identify-queue.ts';
import { nameOf, type Shard } from '../../../src/shards/shard.ts';
import { readAll } from '../../../src/store/collection.ts';
import type { Documents } from '../../../src/store/documents.ts';
import { VirtualTime } from '../../sim/virtual-time.ts';
import { documentsInMemory } from '../../support/documents-in-memory.ts';
import { faultyDocuments } from '../../support/faulty-documents.ts';

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
  readonly cluster: Cluster;
  /** Resolves with the start; rejects where it failed. */
  readonly started: Promise<void>;
  /** The shards whose connection is up. */
  readonly up: ReadonlySet<string>;
  readonly waits: number[];
  /** How many there are, as last reported. */
  processes: number;
  /** How often it has asked for a claim. */
  claims: number;
  /** It is gone at once. */
  kill(): void;
  /** It stands still for so long: nothing happens in it, and its connections stay up. */
  freeze(ms: number): void;
  stop(): Promise<void>;
}

export function createClusterStage(
  options: { readonly concurrency?: number; readonly recommended?: number } = {},
) {
  const time = new VirtualTime(START);
  let data = documentsInMemory(time.clock.now);
  const store = faultyDocuments(time.clock, {
    read: (...asked) => data.read(...asked),
    all: (...asked) => data.all(...asked),
    commit: (...asked) => data.commit(...asked),
    naming: (...asked) => data.naming(...asked),
  });
  const identified: Identified[] = [];
  const processes: TestProcess[] = [];
  const discord = { remaining: 1000, resetIn: 3_600_000, failing: false, silent: false, ...options };
  const { concurrency = 1 } = options;

  function queueFor(
    own: Pick<Parameters<typeof createIdentifyQueue>[0], 'me' | 'update' | 'clock'>,
    waits: number[],
  ) {
    return createIdentifyQueue({
      ...own,
      limits: async () => ({ concurrency, remaining: discord.remaining, resetIn: discord.resetIn }),
      waiting: (_shard, ms) => void waits.push(ms),
    });
  }

  function start(setting: ShardsSetting = { kind: 'leased', count: null }): TestProcess {
    const id = `p${processes.length}`;
    const own = createOwnClock(time.clock);
    const update = createClusterUpdate(own.documents(store));
    const up = new Set<string>();
    const waits: number[] = [];
    const queue = queueFor({ me: id, update, clock: own.clock }, waits);
    const driver = createDriver({
      ...{ up, clock: own.clock, queue },
      isFailing: () => discord.failing,
      identified: (shard) => identified.push({ at: time.elapsed, by: id, shard }),
    });
    const cluster = createCluster({
      ...{ me: id, setting, update, driver, clock: own.clock },
      async gateway() {
        if (discord.silent) throw new Error('Discord does not answer');
        return { shards: discord.recommended ?? 8, concurrency };
      },
      isSole: false,
      claims: {
        async claim() {
          process.claims += 1;
          return true;
        },
      },
      waiting: (ms) => void waits.push(ms),
      processes: (count) => {
        process.processes = count;
      },
      failed: (error) => {
        if (!store.broken && !discord.failing && !discord.silent) throw error;
      },
    });
    const started = cluster.join();
    started.catch(() => {});
    const process: TestProcess = {
      ...{ id, cluster, started, up, waits, processes: 0, claims: 0, kill, freeze: own.freeze },
      async stop() {
        await time.until(cluster.handOver().then(() => cluster.leave(true)));
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
      const update = createClusterUpdate(store);
      return { update, queue: queueFor({ me, update, clock: time.clock }, []) };
    },
    /** The store loses all that it has. */
    loseData(): void {
      data = documentsInMemory(time.clock.now);
    },
    /** All that the processes have decided. */
    async state(): Promise<ClusterState> {
      const [state] = (await readAll(store, clusterStates)).values();
      if (state === undefined) throw new Error('no process has decided anything');
      return state;
    },
    /** Those who would edit a board of that guild at this moment. */
    holdersOf: (guildId: string) =>
      processes.filter(({ cluster, up }) => up.size > 0 && cluster.holds(guildId)),
    fencesOf: (guildId: string) =>
      processes.filter(({ cluster, up }) => up.size > 0 && cluster.fenceOf(guildId) !== null),
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
  const own =
    <Asked extends readonly unknown[], Answer>(ask: (...asked: Asked) => Promise<Answer>) =>
    (...asked: Asked): Promise<Answer> =>
      isAlive ? ifAlive(ask(...asked)) : new Promise(() => {});
  const ownClock: Clock = {
    now: clock.now,
    monotonic: clock.monotonic,
    after: (ms, callback) => (isAlive ? clock.after(ms, () => run(callback)) : () => {}),
  };
  return {
    clock: ownClock,
    documents: ({ read, all, commit, naming }: Documents): Documents => ({
      read: own(read),
      all: own(all),
      commit: own(commit),
      naming: own(naming),
    }),
    freeze(ms: number) {
      frozenUntil = clock.monotonic() + ms;
    },
    kill() {
      isAlive = false;
    },
  };
}

export function createDriver(parts: {
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
