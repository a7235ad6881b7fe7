/** The shards of this process, from its claim to its end: which guilds it serves, and for how long. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type Clock, resolveWithin } from '../base/clock.ts';
import type { ShardsSetting } from '../base/config/shards-setting.ts';
import { SECOND } from '../base/duration.ts';
import { createListeners } from '../base/listeners.ts';
import type { Documents } from '../store/documents.ts';
import { connectShards, type ShardDriver } from './connect-shards.ts';
import { type ClaimLog, createRangeClaim, type RangeClaim } from './range-claim.ts';
import { type Shard, servedBy, shardOf } from './shard.ts';

interface ShardsParts {
  readonly setting: ShardsSetting;
  /** No other process can use the store. */
  readonly isAlone: boolean;
  readonly documents: Documents;
  readonly driver: ShardDriver;
  /** Resolves with how many shards Discord recommends, and how many may log in at a time. */
  readonly gateway: () => Promise<{ readonly shards: number; readonly concurrency: number }>;
  /** Called with how many processes share Discord's limits, whenever their number changes. */
  readonly processes: (count: number) => void;
  readonly clock: Clock;
  readonly log: ClaimLog;
}

/** The guilds that this process serves, as other modules see them. */
export interface ServedGuilds {
  /** This process serves the guild now, and for long enough to send a request; null: direct messages. */
  holds(guildId: string | null): boolean;
  /**
   * This process has claimed the guild's shard for long enough to send a request; also before the shard is connected, and
   * during the stop.
   */
  mayAct(guildId: string | null): boolean;
  /** Returns the test for served guilds, also after the claim; the same function until other guilds are served. */
  served(): (guildId: string | null) => boolean;
  /** How many processes share Discord's limits, as far as this one knows. */
  processes(): number;
}

export interface Shards extends ServedGuilds {
  /** See {@link RangeClaim}. A process without its claim is a standby. */
  readonly claim: Pick<RangeClaim, 'take' | 'fence' | 'hasStandby'>;
  /** Connects the shards. Resolves when the first one is connected; rejects if none could be. */
  connect(): Promise<void>;
  /** The claim lasts for long enough to send a request, whatever it is about. Asked right before each of them. */
  maySend(): boolean;
  /** No other process may have answered the interactions that arrive now. */
  mayAnswer(): Promise<boolean>;
  /** Called when this process serves other guilds than before. */
  onChange(listener: () => void): void;
  /** The number of shards that this process has claimed; null as a standby. */
  count(): number | null;
  /** Resolves when another process has the shards, after they are disconnected here. */
  readonly lost: Promise<void>;
  /** Gives the claim back, once. `inOrder`: false after an error. */
  release(inOrder: boolean): Promise<void>;
}

/** The time that a request to Discord takes at most to leave and arrive, in ms. */
const LEAST_LEFT_MS = 3 * SECOND;
/** How long the shards have to disconnect when the claim is lost, in ms. */
const DISCONNECT_MS = 5 * SECOND;

export function createShards(parts: ShardsParts): Shards {
  const { setting, driver, gateway, clock, log } = parts;
  const changes = createListeners<[]>();
  let connections: ReturnType<typeof connectShards> | null = null;
  let ownShards: readonly Shard[] = [];
  let served = servedBy([]);
  let processes = 1;
  const failed = (error: unknown): void => log.warn({ err: error }, 'shards of Discord');
  const claim = createRangeClaim({
    ...parts,
    me: randomUUID(),
    host: hostname(),
    range: setting,
    processes(count) {
      if (count === processes || count === 0) return;
      processes = count;
      parts.processes(count);
    },
  });

  function changed(): void {
    const connected = connections?.connected() ?? [];
    served = servedBy(connected);
    void changes.call();
  }

  async function disconnect(): Promise<void> {
    const ending = connections?.end();
    changed();
    if (ending !== undefined) await resolveWithin(ending, DISCONNECT_MS, clock);
  }

  const shardFor = (guildId: string | null): Shard | undefined => {
    const [{ count } = { count: 1 }] = ownShards;
    const { id } = shardOf(guildId, count);
    return ownShards.find((shard) => shard.id === id);
  };
  const maySend = (): boolean => claim.remainingMs() >= LEAST_LEFT_MS;
  const mayAct = (guildId: string | null): boolean => shardFor(guildId) !== undefined && maySend();

  return {
    claim,
    async connect() {
      const { shards, concurrency } = await gateway();
      ownShards = shardsOf(setting, shards);
      connections = connectShards(ownShards, concurrency, { driver, clock, changed, failed });
      await connections.first();
    },
    holds(guildId) {
      const shard = shardFor(guildId);
      return shard !== undefined && maySend() && connections?.isConnected(shard) === true;
    },
    mayAct,
    maySend,
    served: () => served,
    processes: () => processes,
    mayAnswer: async () => claim.remainingMs() > 0 || claim.confirm(),
    onChange: (listener) => void changes.listen(listener, failed),
    count: () => (ownShards.length === 0 ? null : ownShards.length),
    lost: claim.lost.then(disconnect),
    release: (inOrder) => claim.release(!inOrder && connections !== null),
  };
}

function shardsOf(setting: ShardsSetting, recommended: number): readonly Shard[] {
  const { first, last, total } =
    setting === 'auto' ? { first: 0, last: recommended - 1, total: recommended } : setting;
  return Array.from({ length: last - first + 1 }, (_, index) => ({ id: first + index, count: total }));
}
