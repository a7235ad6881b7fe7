import { Client, Events, Options, type REST } from 'discord.js';
import type { Log } from '../base/log.ts';
import { nameOf, type Shard } from '../shards/shard.ts';
import { INTENTS } from './intents.ts';
import { closeRestClient } from './rest-client.ts';

export interface ShardClientParts {
  readonly shard: Shard;
  /** Shared by all clients. */
  readonly rest: REST;
  /** Resolves when the shard may identify; rejects only with the signal's reason. */
  readonly identify: (shard: Shard, signal: AbortSignal) => Promise<void>;
  readonly log: Log;
}

export interface ShardClient {
  readonly client: Client;
  destroy(): Promise<void>;
}

/**
 * One client for one shard. A client's shards are fixed when it connects, it handles no event before the last of
 * them is ready (80 seconds for sixteen), and it cannot forget the guilds of one that it gives up. A second client
 * costs 6 kB, and 67 kB when it is connected.
 */
export function createShardClient({ shard, rest, identify, log }: ShardClientParts): ShardClient {
  const client = new Client({
    shards: [shard.id],
    shardCount: shard.count,
    ws: {
      buildIdentifyThrottler: () => ({ waitForIdentify: (_id, signal) => identify(shard, signal) }),
    },
    intents: [...INTENTS],
    // Replies go out through it while the client ends.
    rest: { ...rest.options },
    // Bodies are already in Discord's form; no keys need renaming.
    jsonTransformer: (json) => json,
    // Unused caches: interactions contain everything needed.
    makeCache: Options.cacheWithLimits({
      ...Options.DefaultMakeCacheSettings,
      MessageManager: 0,
      ReactionManager: 0,
      PresenceManager: 0,
      VoiceStateManager: 0,
      ThreadManager: 0,
      GuildEmojiManager: 0,
      GuildStickerManager: 0,
      GuildMemberManager: { maxSize: 0, keepOverLimit: ({ id, client: { user } }) => id === user.id },
      UserManager: { maxSize: 0, keepOverLimit: ({ id, client: { user } }) => id === user?.id },
    }),
  });
  logTroubles(client, shard, log);
  const own = client.rest;
  closeRestClient(own);
  client.rest = rest;
  return {
    client,
    async destroy() {
      client.removeAllListeners(Events.ShardReconnecting);
      // A client ends the REST client that it has: not the one that the others use, too.
      client.rest = own;
      await client.destroy();
      client.rest = rest;
    },
  };
}

/** discord.js retries twice a second; an outage is logged once. */
function logTroubles(client: Client, { id, count }: Shard, log: Log): void {
  const where = count === 1 ? {} : { shard: nameOf({ id, count }) };
  client.on(Events.Error, (error) => log.error({ err: error, ...where }, 'Discord client error'));
  client.on(Events.Warn, (warning) => log.warn({ warning, ...where }, 'Discord client warning'));
  client.on(Events.ShardError, (error) => log.warn({ err: error, ...where }, 'Discord connection failed'));
  let away = false;
  const back = (): void => {
    if (away) log.info(where, 'reconnected to Discord');
    away = false;
  };
  client.on(Events.ShardReconnecting, () => {
    log[away ? 'debug' : 'warn'](where, 'connection to Discord lost; reconnecting');
    away = true;
  });
  client.on(Events.ShardResume, back);
  client.on(Events.ShardReady, back);
}
