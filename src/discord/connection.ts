import {
  ActivityType,
  type Client,
  DiscordAPIError,
  DiscordjsError,
  DiscordjsErrorCodes,
  Events,
  GatewayCloseCodes,
  type Interaction,
  REST,
  Routes,
} from 'discord.js';
import { z } from 'zod';
import { type Clock, systemClock } from '../clock.ts';
import { StartError } from '../errors.ts';
import type { Log } from '../log.ts';
import { nameOf, type Shard } from '../shards/shard.ts';
import { createGatewayInfo, type GatewayInfo } from './gateway-info.ts';
import { createGuilds, type Guilds } from './guilds.ts';
import { createShardClient, type ShardClient } from './shard-client.ts';

/** Milliseconds that a request waits for a rate limit to pass. */
const LONGEST_WAIT = 60_000;
/** Requests a second of all processes together: Discord allows fifty. */
const REQUESTS = 45;

/** All of this process's shards as one. */
export interface Connection extends Guilds {
  /** Needs no gateway connection. */
  readonly rest: REST;
  /** What Discord says about the bot's gateway. Throws a {@link StartError} where it rejects the token. */
  gateway(): Promise<GatewayInfo>;
  /** The application's id. */
  applicationId(): Promise<string>;
  /** Milliseconds from the last heartbeat to its answer, on average over the shards; null before the first one. */
  readonly latency: () => number | null;
  /** Gets every interaction from now on. */
  onInteraction(handle: (interaction: Interaction) => void): void;
  /** The line below the bot's name, on every shard and after every login. */
  showStatus(text: string): void;
  /** Requests are shared out among so many processes. */
  sharedBy(processes: number): void;
  /**
   * Resolves when the shard has received its guilds. Rejects where it is disconnected before or Discord cannot be
   * reached; with a {@link StartError} for a problem that only the bot's owner can fix.
   */
  connect(shard: Shard): Promise<void>;
  disconnect(shard: Shard): Promise<void>;
  /** Resolves with the reason when Discord has closed the connection for good. */
  readonly lost: Promise<StartError>;
  close(): Promise<void>;
}

interface ConnectionOptions {
  readonly token: string;
  readonly apiUrl: string | null;
  readonly log: Log;
  readonly clock?: Pick<Clock, 'monotonic'>;
  /** Resolves when the shard may identify; rejects only with the signal's reason. */
  readonly identify?: (shard: Shard, signal: AbortSignal) => Promise<void>;
}

const Application = z.object({ id: z.string() });

/** The connection to Discord, before any shard is connected, so that other parts can be built on it first. */
export function createConnection(options: ConnectionOptions): Connection {
  const { token, log, clock = systemClock, identify = async () => {} } = options;
  const rest = createRest(options);
  const gateway = createGatewayInfo(rest, clock);
  const guilds = createGuilds();
  const lines = new Map<string, ShardClient>();
  const handles: ((interaction: Interaction) => void)[] = [];
  const lost = Promise.withResolvers<StartError>();
  let status: string | null = null;

  function show(client: Client): void {
    if (status !== null)
      client.user?.setActivity({ name: 'status', type: ActivityType.Custom, state: status });
  }

  function open(shard: Shard): ShardClient {
    const line = createShardClient({ shard, rest, identify, log });
    const { client } = line;
    client.on(Events.InteractionCreate, (interaction) => {
      for (const handle of handles) handle(interaction);
    });
    // At every login Discord forgets it.
    client.on(Events.ShardReady, () => show(client));
    // After these close codes discord.js stays disconnected silently.
    client.on(Events.ShardDisconnect, ({ code }) => lost.resolve(new StartError(whyClosed(code))));
    lines.set(nameOf(shard), line);
    guilds.add(shard, client);
    return line;
  }

  async function disconnect(shard: Shard): Promise<void> {
    const line = lines.get(nameOf(shard));
    lines.delete(nameOf(shard));
    guilds.remove(shard);
    await line?.destroy();
  }

  return {
    ...guilds,
    rest,
    gateway: () => orRefused(gateway()),
    async applicationId() {
      const ready = [...lines.values()].find(({ client }) => client.isReady());
      if (ready?.client.application) return ready.client.application.id;
      return Application.parse(await orRefused(rest.get(Routes.currentApplication()))).id;
    },
    latency() {
      const pings = [...lines.values()].map(({ client }) => client.ws.ping).filter((ping) => ping >= 0);
      return pings.length === 0 ? null : pings.reduce((sum, ping) => sum + ping) / pings.length;
    },
    onInteraction: (handle) => void handles.push(handle),
    showStatus(text) {
      status = text;
      for (const { client } of lines.values()) show(client);
    },
    sharedBy(processes) {
      rest.options.globalRequestsPerSecond = Math.max(1, Math.floor(REQUESTS / processes));
    },
    async connect(shard) {
      const { client } = open(shard);
      try {
        const outcome = await Promise.race([logIn(client, token), guilds.removed(shard), lost.promise]);
        if (outcome instanceof Error) throw outcome;
      } catch (error) {
        await disconnect(shard);
        throw error;
      }
    },
    disconnect,
    lost: lost.promise,
    async close() {
      await Promise.all([...lines.values()].map((line) => line.destroy()));
      rest.clearHashSweeper();
      rest.clearHandlerSweeper();
    },
  };
}

function createRest({ token, apiUrl }: ConnectionOptions): REST {
  const rest = new REST({
    // A wait of a day (for publishing commands) would block everything, and nobody waits longer than this for a
    // reply.
    rejectOnRateLimit: ({ retryAfter }) => retryAfter > LONGEST_WAIT,
    globalRequestsPerSecond: REQUESTS,
    ...(apiUrl === null ? {} : { api: apiUrl }),
  });
  return rest.setToken(token);
}

async function logIn(client: Client, token: string): Promise<null> {
  const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
  await orRefused(Promise.all([ready, client.login(token)]));
  return null;
}

/** Says which setting is wrong where Discord rejects the token. */
async function orRefused<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking;
  } catch (error) {
    const isRefused =
      (error instanceof DiscordjsError && error.code === DiscordjsErrorCodes.TokenInvalid) ||
      (error instanceof DiscordAPIError && error.status === 401);
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
