import { type Client, Events, Status } from 'discord.js';

export interface GatewayState {
  /** Connections that this process runs, and how many of them are logged in. */
  readonly shards: number;
  readonly ready: number;
  readonly guilds: number;
  /** How often one of them was lost since the start. */
  readonly losses: number;
}

/** Call the returned function for how things are now. */
export function watchGateway(client: Client): () => GatewayState {
  const away = new Set<number>();
  let losses = 0;
  // Comes again for every attempt to reconnect.
  client.on(Events.ShardReconnecting, (shard) => {
    if (!away.has(shard)) losses += 1;
    away.add(shard);
  });
  const back = (shard: number): void => void away.delete(shard);
  client.on(Events.ShardResume, back);
  client.on(Events.ShardReady, back);
  return () => ({
    shards: client.ws.shards.size,
    ready: client.ws.shards.filter(({ status }) => status === Status.Ready).size,
    guilds: client.guilds.cache.size,
    losses,
  });
}
