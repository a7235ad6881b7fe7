/** The connections of this process's shards. */

import { DiscordAPIError } from '@discordjs/rest';
import { GatewayCloseCodes } from 'discord-api-types/v10';
import { StartError } from '../../base/errors.ts';
import { nameOf, type Shard } from '../../shards/shard.ts';
import {
  createShardConnection,
  type ShardConnection,
  type ShardConnectionParts,
} from './shard-connection.ts';

export function createShardConnections(
  parts: Omit<ShardConnectionParts, 'shard' | 'listener'> & {
    readonly listener: Omit<ShardConnectionParts['listener'], 'closed'>;
  },
): {
  readonly all: () => readonly ShardConnection[];
  /**
   * Resolves when the shard has received its guilds. Rejects where it is disconnected before or Discord cannot be
   * reached; with a {@link StartError} for a problem that only the bot's owner can fix.
   */
  connect(shard: Shard): Promise<void>;
  disconnect(shard: Shard): Promise<void>;
  /** Resolves with the reason when Discord has closed a connection for good. */
  readonly lost: Promise<StartError>;
  close(): Promise<void>;
} {
  const open = new Map<string, { connection: ShardConnection; removed: PromiseWithResolvers<Error> }>();
  const lost = Promise.withResolvers<StartError>();
  const listener = {
    ...parts.listener,
    closed: (code: number) => lost.resolve(new StartError(whyClosed(code))),
  };

  async function disconnect(shard: Shard): Promise<void> {
    const ending = open.get(nameOf(shard));
    open.delete(nameOf(shard));
    ending?.removed.resolve(new Error('the shard is no longer to be connected'));
    await ending?.connection.end();
  }

  return {
    all: () => [...open.values()].map(({ connection }) => connection),
    async connect(shard) {
      const connection = createShardConnection({ ...parts, listener, shard });
      const removed = Promise.withResolvers<Error>();
      open.set(nameOf(shard), { connection, removed });
      try {
        const connecting = orRefused(connection.connect());
        const outcome = await Promise.race([connecting, removed.promise, lost.promise]);
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
      await Promise.all([...open.values()].map(({ connection }) => connection.end()));
    },
  };
}

/** Says which setting is wrong where Discord rejects the token. */
export async function orRefused<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking;
  } catch (error) {
    const isRefused = error instanceof DiscordAPIError && error.status === 401;
    throw isRefused ? new StartError(whyClosed(GatewayCloseCodes.AuthenticationFailed)) : error;
  }
}

function whyClosed(code: number): string {
  switch (code) {
    case GatewayCloseCodes.AuthenticationFailed:
      return 'DISCORD_TOKEN was rejected by Discord. Copy it again from the Discord Developer Portal (Bot, Reset Token)';
    case GatewayCloseCodes.DisallowedIntents:
    case GatewayCloseCodes.InvalidIntents:
      return `DISCORD_TOKEN: Discord denies this bot the intents it asks for (Guilds, code ${code}). Check the Bot page of the Discord Developer Portal`;
    case GatewayCloseCodes.ShardingRequired:
    case GatewayCloseCodes.InvalidShard:
      return `SHARDS: Discord wants another number of shards (code ${code}). Leave it empty, or raise the number`;
    default:
      return `DISCORD_TOKEN: Discord closed the connection for good (code ${code}, ${GatewayCloseCodes[code] ?? 'unknown'})`;
  }
}
