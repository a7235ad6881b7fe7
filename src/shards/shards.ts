/** The shards of this process: which guilds are its own, and whether it may act for them. */
import { type Clock, sleep } from '../base/clock.ts';
import { isPart, type ShardsSetting } from '../base/config/shards-setting.ts';
import { SECOND } from '../base/duration.ts';
import type { Log } from '../base/log.ts';
import { repeatEvery } from '../base/repeat-every.ts';
import type { WorkLock } from '../store/stores.ts';
import { connectShards, type ShardDriver } from './connect-shards.ts';
import { type Shard, shardOf } from './shard.ts';

interface ShardsParts {
  readonly setting: ShardsSetting;
  readonly lock: Pick<WorkLock, 'isSure' | 'countHolders' | 'lost'>;
  readonly driver: ShardDriver;
  /** Resolves with how many shards Discord recommends, and how many may log in at a time. */
  readonly gateway: () => Promise<{ readonly shards: number; readonly concurrency: number }>;
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
  /** Connects the shards. Resolves when the first one is connected; rejects if none could be. */
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
  let connections: ReturnType<typeof connectShards> | null = null;
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
  const counting = isPart(setting) ? repeatEvery(clock, COUNT_INTERVAL_MS, count, failed) : null;
  void counting?.now();

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
      const { shards, concurrency } = await gateway();
      const ownShards = shardsOf(setting, shards);
      if (hasEnded) return;
      shardCount = ownShards.length;
      connections = connectShards(ownShards, concurrency, { driver, clock, failed });
      await connections.first();
    },
    async end() {
      hasEnded = true;
      await Promise.all([counting?.stop(), connections?.end()]);
    },
    count: () => shardCount,
  };
}

function shardsOf(setting: ShardsSetting, recommended: number): readonly Shard[] {
  const { first, last, total } =
    setting === 'auto' ? { first: 0, last: recommended - 1, total: recommended } : setting;
  return Array.from({ length: last - first + 1 }, (_, index) => ({ id: first + index, count: total }));
}
