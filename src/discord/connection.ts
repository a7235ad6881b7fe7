import {
  ActivityType,
  type Client,
  Events,
  type Guild,
  type Interaction,
  type REST,
  Routes,
} from 'discord.js';
import { z } from 'zod';
import { type Clock, systemClock } from '../base/clock.ts';
import { MINUTE } from '../base/duration.ts';
import type { Log } from '../base/log.ts';
import type { Shard } from '../shards/shard.ts';
import { createGatewayInfo, type GatewayInfo } from './gateway-info.ts';
import { createGuilds, type Guilds } from './guilds.ts';
import { createMakeRequest } from './make-request.ts';
import { orRefused } from './refusal.ts';
import { closeRestClient, createRestClient } from './rest-client.ts';
import { createShardClients, type ShardClients } from './shard-clients.ts';
import { unrepeated } from './unrepeated.ts';

/** Milliseconds that a request waits for a rate limit to pass. */
const LONGEST_WAIT = MINUTE;
/** Requests a second of all processes together: Discord allows fifty, and does not count answers to interactions. */
const REQUESTS = 45;

/** All of this process's shards as one. */
export interface Connection extends Guilds, Pick<ShardClients, 'connect' | 'disconnect' | 'lost'> {
  /** For everything but answers to interactions. Needs no gateway connection. */
  readonly rest: REST;
  /** What Discord says about the bot's gateway. Throws a {@link StartError} where it rejects the token. */
  gateway(): Promise<GatewayInfo>;
  /** The application's id. */
  applicationId(): Promise<string>;
  /** Milliseconds from the last heartbeat to its answer, on average over the shards; null before the first one. */
  readonly latency: () => number | null;
  /** Gets every interaction from now on. */
  onInteraction(handle: (interaction: Interaction) => void): void;
  /** Gets every guild that is there, and every one that comes: at a login, or because the bot is invited. */
  onGuild(handle: (guild: Guild) => void): void;
  /** The line below the bot's name, on every shard and after every login. */
  showStatus(text: string): void;
  /** Shares Discord's limit on requests with this many processes. */
  sharedBy(processes: number): void;
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
  const { clock = systemClock, identify = async () => {} } = options;
  const { rest, answers } = createRests(options);
  const gateway = createGatewayInfo(answers, clock);
  const guilds = createGuilds();
  const { onInteraction, onGuild, listenTo } = createListeners();
  let status: string | null = null;

  function show(client: Client): void {
    if (status !== null)
      client.user?.setActivity({ name: 'status', type: ActivityType.Custom, state: status });
  }

  function opened(client: Client): void {
    listenTo(client);
    // At every login Discord forgets it.
    client.on(Events.ShardReady, () => show(client));
  }

  const { clients, connect, disconnect, lost, close } = createShardClients({
    ...options,
    rest: answers,
    identify,
    guilds,
    opened,
  });
  return {
    ...{ ...guilds, rest, connect, disconnect, lost },
    gateway: () => orRefused(gateway()),
    async applicationId() {
      const known = clients().find((client) => client.isReady())?.application?.id;
      return known ?? Application.parse(await orRefused(rest.get(Routes.currentApplication()))).id;
    },
    latency() {
      const pings = clients().flatMap(({ ws: { ping } }) => (ping >= 0 ? [ping] : []));
      return pings.length === 0 ? null : pings.reduce((sum, ping) => sum + ping) / pings.length;
    },
    onInteraction,
    onGuild(handle) {
      onGuild(handle);
      for (const client of clients()) for (const guild of client.guilds.cache.values()) handle(guild);
    },
    showStatus(text) {
      status = text;
      for (const client of clients()) show(client);
    },
    sharedBy(processes) {
      rest.options.globalRequestsPerSecond = Math.max(1, Math.floor(REQUESTS / processes));
    },
    async close() {
      await close();
      for (const client of [rest, answers]) closeRestClient(client);
    },
  };
}

/** Passes on what happens on any of the clients. */
function createListeners() {
  const handles: ((interaction: Interaction) => void)[] = [];
  const guildHandles: ((guild: Guild) => void)[] = [];
  const come = (guild: Guild): void => {
    for (const handle of guildHandles) handle(guild);
  };
  return {
    onInteraction: (handle: (interaction: Interaction) => void): void => void handles.push(handle),
    onGuild: (handle: (guild: Guild) => void): void => void guildHandles.push(handle),
    listenTo(client: Client): void {
      client.on(Events.InteractionCreate, (interaction) => {
        for (const handle of handles) handle(interaction);
      });
      client.on(Events.GuildCreate, come);
      client.once(Events.ClientReady, ({ guilds: { cache } }) => {
        for (const guild of cache.values()) come(guild);
      });
    },
  };
}

/**
 * Two clients over the same connections. Both keep to the limits of each route, but discord.js counts every request
 * towards the fifty a second, edits of answers too: a hundred people who ask at once would wait for each other.
 */
function createRests({ token, apiUrl }: ConnectionOptions): { readonly rest: REST; readonly answers: REST } {
  const makeRequest = unrepeated(createMakeRequest(apiUrl));
  const withLimit = (globalRequestsPerSecond: number): REST =>
    createRestClient({
      ...{ token, apiUrl, makeRequest, globalRequestsPerSecond },
      // A wait of a day (for publishing commands) would block everything, and nobody waits longer than this for a
      // reply.
      rejectOnRateLimit: ({ retryAfter }) => retryAfter > LONGEST_WAIT,
    });
  return { rest: withLimit(REQUESTS), answers: withLimit(Number.POSITIVE_INFINITY) };
}
