/** Processes of one bot on virtual time: their real shards over a store in memory and a gateway that can fail. */
import type { Clock } from '../../../src/base/clock.ts';
import type { ShardsSetting } from '../../../src/base/config/shards-setting.ts';
import {
  CLAIMS_KEY,
  type ClaimsDocument,
  claimsDocuments,
  noClaims,
} from '../../../src/shards/claims-document.ts';
import type { ShardDriver } from '../../../src/shards/connect-shards.ts';
import { nameOf } from '../../../src/shards/shard.ts';
import { createShards, type Shards } from '../../../src/shards/shards.ts';
import { readDocument } from '../../../src/store/collection.ts';
import type { Documents } from '../../../src/store/documents.ts';
import { VirtualTime } from '../../sim/virtual-time.ts';
import { documentsInMemory } from '../../support/documents-in-memory.ts';
import { faultyDocuments } from '../../support/faulty-documents.ts';

const START = Date.UTC(2026, 2, 5, 12);
/** From IDENTIFY to the last guild, in ms. */
export const LOGIN_MS = 700;

interface Login {
  /** Milliseconds since the start of the test. */
  readonly at: number;
  readonly by: string;
  readonly shard: string;
}

export interface TestProcess {
  readonly id: string;
  readonly shards: Shards;
  /** Resolves when the process serves its first shard; rejects if it cannot. */
  readonly started: Promise<void>;
  /** The names of the shards whose connection is up. */
  readonly up: ReadonlySet<string>;
  /** What it has logged, with the seconds of each wait. */
  readonly logged: readonly { readonly text: string; readonly seconds?: number }[];
  /** Ends it at once. */
  kill(): void;
  /** Makes it stand still for so long: nothing happens in it, and its connections stay up. */
  freeze(ms: number): void;
  stop(inOrder?: boolean): Promise<void>;
}

interface StageOptions {
  readonly concurrency?: number;
  readonly recommended?: number;
  readonly isAlone?: boolean;
}

export function createShardsStage({ concurrency = 1, recommended = 2, isAlone = false }: StageOptions = {}) {
  const time = new VirtualTime(START);
  let data = documentsInMemory(time.clock.now);
  const store = faultyDocuments(time.clock, {
    read: (...asked) => data.read(...asked),
    all: (...asked) => data.all(...asked),
    commit: (...asked) => data.commit(...asked),
    naming: (...asked) => data.naming(...asked),
  });
  const logins: Login[] = [];
  const processes: TestProcess[] = [];
  const discord = { silent: false, refused: new Set<string>() };

  function start(setting: ShardsSetting = 'auto'): TestProcess {
    const id = `p${processes.length}`;
    const own = createOwnClock(time.clock);
    const up = new Set<string>();
    const logged: { text: string; seconds?: number }[] = [];
    const log = (fields: object, text: string) => void logged.push({ ...fields, text });
    const driver: ShardDriver = {
      async connect(shard) {
        const name = nameOf(shard);
        if (discord.refused.has(name)) throw new Error('Discord is down');
        logins.push({ at: time.elapsed, by: id, shard: name });
        await new Promise<void>((resolve) => own.clock.after(LOGIN_MS, resolve));
        up.add(name);
      },
      async disconnect(shard) {
        up.delete(nameOf(shard));
      },
    };
    const shards = createShards({
      ...{ setting, isAlone, driver, clock: own.clock },
      documents: own.documents(store),
      async gateway() {
        if (discord.silent) throw new Error('Discord does not answer');
        return { shards: recommended, concurrency };
      },
      processes: () => {},
      log: { info: log, warn: log },
    });
    const begin = async (): Promise<void> => {
      await shards.claim.take();
      await shards.connect();
    };
    const started = begin();
    started.catch(() => {});
    const kill = (): void => {
      own.kill();
      up.clear();
    };
    const process: TestProcess = {
      ...{ id, shards, started, up, logged, kill, freeze: own.freeze },
      async stop(inOrder = true) {
        await time.until(shards.release(inOrder));
        kill();
      },
    };
    processes.push(process);
    return process;
  }

  return {
    ...{ time, store, logins, processes, discord, start },
    /** The store loses all that it has. */
    loseData(): void {
      data = documentsInMemory(time.clock.now);
    },
    async claims(): Promise<ClaimsDocument> {
      return (await readDocument(data, claimsDocuments, CLAIMS_KEY)) ?? noClaims;
    },
    /** The processes that would edit a board of that guild at this moment. */
    holdersOf: (guildId: string) =>
      processes.filter(({ shards, up }) => up.size > 0 && shards.holds(guildId)),
  };
}

/** A guild of the shard: ids carry their time above 22 bits. */
export const guildOf = (shard: number, count = 2): string =>
  String((BigInt(1_000_000 * count + shard) << 22n) + 7n);

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
