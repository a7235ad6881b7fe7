import { type Client, Events, Status } from 'discord.js';
import type { Access, TopicAccess } from '../board/channels.ts';
import { hasGuild, nameOf, type Shard } from '../shards/shard.ts';
import { accessIn, topicIn, voiceIn, watchAccess } from './board-access.ts';

export interface GatewayState {
  /** Connections of this process that have been logged in, and how many of them are now. */
  readonly shards: number;
  readonly ready: number;
  readonly guilds: number;
  /** How often one of them was lost since the start. */
  readonly losses: number;
}

/** The guilds of all shards of this process, as far as the gateway has reported; makes no request. */
export interface Guilds {
  /** Our permissions. A guild whose shard is not connected here is unavailable. */
  access(guildId: string, channelId: string): Access;
  /** The channel's topic, and whether we may change it. */
  topic(guildId: string, channelId: string): TopicAccess;
  /** Whether we may set that voice channel's status. */
  voice(guildId: string, channelId: string): Access;
  /** Calls back with each guild whose permissions may have changed; the returned function stops it. */
  onAccess(listener: (guildId: string) => void): () => void;
  /** The bot's own id; undefined before the first login. */
  userId(): string | undefined;
  gatewayState(): GatewayState;
}

/** A shard's connection, from when it is added until it is removed. */
interface Connected {
  readonly shard: Shard;
  readonly client: Client;
  readonly removed: PromiseWithResolvers<Error>;
}

export interface ShardGuilds extends Guilds {
  add(shard: Shard, client: Client): void;
  remove(shard: Shard): void;
  /** Resolves when the shard is removed. */
  removed(shard: Shard): Promise<Error>;
}

const UNAVAILABLE = { kind: 'unavailable' } as const;

export function createGuilds(): ShardGuilds {
  const connected = new Map<string, Connected>();
  const listeners = new Set<(guildId: string) => void>();
  const tell = (guildId: string): void => {
    for (const listener of listeners) listener(guildId);
  };
  const losses = countLosses();
  let userId: string | undefined;

  function watch(client: Client): void {
    watchAccess(client, tell);
    client.once(Events.ClientReady, ({ user, guilds }) => {
      userId = user.id;
      for (const id of guilds.cache.keys()) tell(id);
    });
    losses.watch(client);
  }

  /** Asks the client that has the guild. */
  function inGuild<T>(guildId: string, ask: (client: Client) => T): T | typeof UNAVAILABLE {
    const theirs = [...connected.values()].find(
      ({ shard, client }) => client.isReady() && hasGuild(shard, guildId),
    );
    return theirs === undefined ? UNAVAILABLE : ask(theirs.client);
  }

  return {
    add(shard, client) {
      connected.set(nameOf(shard), { shard, client, removed: Promise.withResolvers() });
      watch(client);
    },
    remove(shard) {
      const ending = connected.get(nameOf(shard));
      if (ending === undefined) return;
      connected.delete(nameOf(shard));
      ending.removed.resolve(new Error('the shard is no longer to be connected'));
    },
    removed: (shard) => connected.get(nameOf(shard))?.removed.promise ?? new Promise(() => {}),
    access: (guildId, channelId) => inGuild(guildId, (client) => accessIn(client, guildId, channelId)),
    topic: (guildId, channelId) => inGuild(guildId, (client) => topicIn(client, guildId, channelId)),
    voice: (guildId, channelId) => inGuild(guildId, (client) => voiceIn(client, guildId, channelId)),
    onAccess(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    userId: () => userId,
    gatewayState() {
      const clients = [...connected.values()]
        .map(({ client }) => client)
        .filter((client) => client.isReady());
      const ready = clients.filter(({ ws }) => ws.shards.every(({ status }) => status === Status.Ready));
      return {
        shards: clients.length,
        ready: ready.length,
        guilds: clients.reduce((sum, { guilds }) => sum + guilds.cache.size, 0),
        losses: losses.count(),
      };
    },
  };
}

function countLosses() {
  let count = 0;
  return {
    count: () => count,
    watch(client: Client): void {
      let isAway = false;
      // Comes again for every attempt to reconnect.
      client.on(Events.ShardReconnecting, () => {
        if (!isAway) count += 1;
        isAway = true;
      });
      const back = (): void => {
        isAway = false;
      };
      client.on(Events.ShardResume, back);
      client.on(Events.ShardReady, back);
    },
  };
}
