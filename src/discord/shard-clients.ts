/** One client for each shard of this process. */
import { type Client, Events, type REST } from 'discord.js';
import { StartError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { nameOf, type Shard } from '../shards/shard.ts';
import type { ShardGuilds } from './guilds.ts';
import { orRefused, whyClosed } from './refusal.ts';
import { createShardClient, type ShardClient } from './shard-client.ts';

export interface ShardClients {
  readonly clients: () => readonly Client[];
  /**
   * Resolves when the shard has received its guilds. Rejects where it is disconnected before or Discord cannot be
   * reached; with a {@link StartError} for a problem that only the bot's owner can fix.
   */
  connect(shard: Shard): Promise<void>;
  disconnect(shard: Shard): Promise<void>;
  /** Resolves with the reason when Discord has closed a connection for good. */
  readonly lost: Promise<StartError>;
  close(): Promise<void>;
}

export function createShardClients(parts: {
  readonly token: string;
  readonly rest: REST;
  readonly log: Log;
  /** Resolves when the shard may identify; rejects only with the signal's reason. */
  readonly identify: (shard: Shard, signal: AbortSignal) => Promise<void>;
  readonly guilds: ShardGuilds;
  /** Called with each client before it is connected. */
  readonly opened: (client: Client) => void;
}): ShardClients {
  const { token, guilds, opened } = parts;
  const open = new Map<string, ShardClient>();
  const lost = Promise.withResolvers<StartError>();

  function add(shard: Shard): Client {
    const added = createShardClient({ ...parts, shard });
    // After these close codes discord.js stays disconnected silently.
    added.client.on(Events.ShardDisconnect, ({ code }) => lost.resolve(new StartError(whyClosed(code))));
    opened(added.client);
    open.set(nameOf(shard), added);
    guilds.add(shard, added.client);
    return added.client;
  }

  async function disconnect(shard: Shard): Promise<void> {
    const ending = open.get(nameOf(shard));
    open.delete(nameOf(shard));
    guilds.remove(shard);
    await ending?.destroy();
  }

  return {
    clients: () => [...open.values()].map(({ client }) => client),
    async connect(shard) {
      const client = add(shard);
      try {
        const outcome = await Promise.race([logIn(client, token), guilds.removed(shard), lost.promise]);
        if (outcome instanceof Error) throw outcome;
      } catch (error) {
        if (error instanceof StartError) lost.resolve(error);
        await disconnect(shard);
        throw error;
      }
    },
    disconnect,
    lost: lost.promise,
    async close() {
      await Promise.all([...open.values()].map((each) => each.destroy()));
    },
  };
}

async function logIn(client: Client, token: string): Promise<null> {
  const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
  await orRefused(Promise.all([ready, client.login(token)]));
  return null;
}
