/** The shards of this process: which guilds are its own, and whether it may act for them. */
import { type Clock, sleep } from '../../base/clock.ts';
import { isPart, type ShardsSetting } from '../../base/config/shards-setting.ts';
import { SECOND } from '../../base/duration.ts';
import { createJob } from '../../base/job.ts';
import type { Log } from '../../base/log.ts';
import type { WorkLock } from '../stores.ts';
import { type Shard, shardOf } from './shard.ts';

/** The gateway connections of this process. */
interface ShardDriver {
  /** Resolves when the first of the shards has received its guilds; rejects if none is to be connected, or can be. */
  connect(shards: readonly Shard[]): Promise<void>;
  /** Disconnects all shards, and connects none from now on. */
  close(): Promise<void>;
}

interface ShardsParts {
  readonly setting: ShardsSetting;
  readonly lock: Pick<WorkLock, 'isSure' | 'countHolders' | 'lost'>;
  readonly driver: ShardDriver;
  /** Resolves with how many shards Discord recommends. */
  readonly gateway: () => Promise<{ readonly shards: number }>;
  /** Called with how many processes share Discord's limits, whenever their number changes. */
  readonly shareLimits: (processes: number) => void;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}

/** The guilds of this process, as other modules see them. */
export interface OwnGuilds {
  /** The guild is of this process's shards, at any time; null: direct messages. */
  owns(guildId: string | null): boolean;
  /** The same, and this process works. Asked right before each request to Discord. */
  mayAct(guildId: string | null): boolean;
  /** How many processes share Discord's limits, as far as this one knows. */
  processes(): number;
}

export interface Shards extends OwnGuilds {
  /** See {@link WorkLock.isSure}. */
  isSure(): boolean;
  /** Resolves with whether this process answers what arrives now. If it is not sure, a process with the lock goes first. */
  mayAnswer(): Promise<boolean>;
  /** Connects the shards. Resolves when the first one is connected, or at the end; rejects if none can be connected. */
  connect(): Promise<void>;
  /** Disconnects the shards, and connects none from now on. */
  end(): Promise<void>;
  /** The number of this process's shards; 0 before the login. */
  count(): number;
}

/** Time by which a process that is not sure answers later, in ms: Discord waits for three seconds. */
const GIVE_WAY_MS = 1.5 * SECOND;
/** Interval between two looks at the number of processes, in ms. */
const COUNT_INTERVAL_MS = 5 * SECOND;

export function createShards(parts: ShardsParts): Shards {
  const { setting, lock, driver, gateway, shareLimits, clock, log } = parts;
  const { isSure } = lock;
  const failed = (error: unknown): void => log.warn({ err: error }, 'shards of Discord');
  let [shardCount, processes] = [0, 1];
  let [isLost, hasEnded] = [false, false];
  void lock.lost.then(() => {
    isLost = true;
  });

  async function count(): Promise<void> {
    const current = Math.max(1, await lock.countHolders());
    if (current !== processes) shareLimits(current);
    processes = current;
  }
  const counting = createJob(clock, COUNT_INTERVAL_MS, count, failed);
  if (isPart(setting)) void counting.start();

  function owns(guildId: string | null): boolean {
    if (setting === 'auto') return true;
    const { id } = shardOf(guildId, setting.total);
    return id >= setting.first && id <= setting.last;
  }

  return {
    owns,
    isSure,
    mayAct: (guildId) => isSure() && owns(guildId),
    processes: () => processes,
    async mayAnswer() {
      if (!isSure()) await sleep(clock, GIVE_WAY_MS);
      return !isLost;
    },
    async connect() {
      const { shards } = await gateway();
      const ownShards = shardsOf(setting, shards);
      if (hasEnded) return;
      shardCount = ownShards.length;
      await driver.connect(ownShards).catch((error: unknown) => {
        if (!hasEnded) throw error;
      });
    },
    async end() {
      hasEnded = true;
      await Promise.all([counting.stop(), driver.close()]);
    },
    count: () => shardCount,
  };
}

function shardsOf(setting: ShardsSetting, recommended: number): readonly Shard[] {
  const { first, last, total } =
    setting === 'auto' ? { first: 0, last: recommended - 1, total: recommended } : setting;
  return Array.from({ length: last - first + 1 }, (_, index) => ({ id: first + index, count: total }));
}
