import {
  ActivityType,
  Client,
  DefaultRestOptions,
  Events,
  GatewayDispatchEvents,
  type GatewayGuildCreateDispatchData,
  type GatewayGuildDeleteDispatchData,
  GatewayIntentBits,
  type GatewayReadyDispatchData,
  type IIdentifyThrottler,
  type Interaction,
  type Guild as LibraryGuild,
  Options,
  type RESTOptions,
  Routes,
  Status,
} from 'discord.js';
import { type Clock, resolveWithin } from '../../base/clock.ts';
import { DAY } from '../../base/duration.ts';
import type { Log } from '../../base/log.ts';
import { createOutage } from '../../base/outage.ts';
import { nameOf, type Shard, shardOf } from '../../store/shards/shard.ts';
import { createDispatchGuard } from './dispatches.ts';
import { type Guild, guildOf } from './guild.ts';
import { PatientStrategy } from './shard-strategy.ts';

/** `arrivedAt`: by the monotonic clock. */
export type HandleInteraction = (interaction: Interaction, arrivedAt: number) => void;

interface ClientParts {
  readonly token: string;
  /** Options of the client's own requests, the answers to interactions. */
  readonly rest: Pick<RESTOptions, 'makeRequest' | 'rejectOnRateLimit'> & { readonly apiUrl: string | null };
  /** Answers the client's request for the gateway's address. */
  readonly gateway: Pick<RESTOptions, 'makeRequest'>;
  /** Resolves when one of the shards may log in. */
  readonly throttler: IIdentifyThrottler;
  readonly listener: {
    /** At every login, with the bot's own id. */
    loggedIn(userId: string): void;
    /** A guild has come: at a login, after an outage of Discord, or because the bot was invited. */
    guild(guild: Guild): void;
    /** A guild may have changed. */
    changed(guildId: string): void;
    /** A connection was lost; it comes back by itself. */
    away(): void;
    /** Discord has closed a connection for good. */
    closed(code: number): void;
  };
  /** Takes them; another one does once there is someone to answer. */
  readonly interactions: { readonly handle: HandleInteraction };
  readonly clock: Clock;
  readonly log: Log;
}

export type GatewayClient = ReturnType<typeof createGatewayClient>;

/** Longest wait for Discord to confirm the end of the connections, in ms. */
const END_TIMEOUT_MS = 1000;

/**
 * The client of discord.js for all shards of this process. Each shard resumes its session or logs in again whenever its connection
 * is lost.
 */
export function createGatewayClient(parts: ClientParts) {
  const { listener, clock, log } = parts;
  const client = createClient(parts);
  const guilds = client.guilds.cache;
  const outages = new Map<number, ReturnType<typeof createOutages>>();
  /** Shards that have received their guilds. */
  const readyShards = new Set<number>();
  let shardCount: number | null = null;
  let status: string | null = null;
  let hasEnded = false;
  /** Each ends the wait for the end of the bot's time-out in a guild. */
  const timeOuts = new Map<string, () => void>();

  const isConnected = (shardId: number): boolean => {
    const shardStatus = client.ws.shards.get(shardId)?.status;
    return shardStatus === Status.Ready || shardStatus === Status.WaitingForGuilds;
  };

  function changed(guildId: string): void {
    listener.changed(guildId);
    waitForTimeOut(guildId);
  }

  /** Discord says nothing when a time-out is over. */
  function waitForTimeOut(guildId: string): void {
    timeOuts.get(guildId)?.();
    timeOuts.delete(guildId);
    const timeOutEnd = guilds.get(guildId)?.members.me?.communicationDisabledUntilTimestamp ?? 0;
    const remainingMs = timeOutEnd - clock.now();
    if (remainingMs <= 0 || hasEnded) return;
    // Timers are no longer than 24 days, and a time-out is.
    timeOuts.set(
      guildId,
      clock.after(Math.min(remainingMs, DAY), () => changed(guildId)),
    );
  }

  /** discord.js keeps a guild that the bot has left while the connection of its shard was lost. */
  function forgetOthers(shardId: number, currentIds: ReadonlySet<string>): void {
    for (const guild of guilds
      .filter((each) => each.shardId === shardId && !currentIds.has(each.id))
      .values()) {
      for (const id of guild.channels.cache.keys()) client.channels.cache.delete(id);
      guilds.delete(guild.id);
      changed(guild.id);
    }
  }

  function cameBack(shardId: number): void {
    outages.get(shardId)?.attempts.worked();
    outages.get(shardId)?.outage.worked();
    showStatusOn(shardId);
  }

  function showStatusOn(shardId: number): void {
    if (status === null || !isConnected(shardId)) return;
    const activity = { name: 'status', type: ActivityType.Custom, state: status };
    client.user?.setPresence({ shardId, activities: [activity] });
  }

  client.on(Events.Raw, createDispatchGuard(log));
  // These come before the library has applied the dispatch.
  client.ws.on(
    GatewayDispatchEvents.Ready,
    ({ user, guilds: currentGuilds }: GatewayReadyDispatchData, shardId: number) => {
      listener.loggedIn(user.id);
      queueMicrotask(() => {
        cameBack(shardId);
        for (const { id } of currentGuilds) changed(id);
        forgetOthers(shardId, new Set(currentGuilds.map(({ id }) => id)));
      });
    },
  );
  client.ws.on(GatewayDispatchEvents.Resumed, (_, shardId: number) =>
    queueMicrotask(() => cameBack(shardId)),
  );
  client.ws.on(GatewayDispatchEvents.GuildCreate, ({ id }: GatewayGuildCreateDispatchData) =>
    queueMicrotask(() => {
      changed(id);
      const guild = guildOf(guilds.get(id));
      if (guild !== null) listener.guild(guild);
    }),
  );
  client.ws.on(GatewayDispatchEvents.GuildDelete, ({ id }: GatewayGuildDeleteDispatchData) =>
    queueMicrotask(() => changed(id)),
  );
  client
    .on(Events.InteractionCreate, (interaction) => parts.interactions.handle(interaction, clock.monotonic()))
    .on(Events.GuildUpdate, (_, { id }) => changed(id))
    .on(Events.ChannelCreate, ({ guildId }) => changed(guildId))
    .on(Events.ChannelUpdate, (_, channel) => {
      if (!channel.isDMBased()) changed(channel.guildId);
    })
    .on(Events.ChannelDelete, (channel) => {
      if (!channel.isDMBased()) changed(channel.guildId);
    })
    .on(Events.GuildRoleCreate, ({ guild }) => changed(guild.id))
    .on(Events.GuildRoleUpdate, (_, { guild }) => changed(guild.id))
    .on(Events.GuildRoleDelete, ({ guild }) => changed(guild.id))
    .on(Events.GuildMemberUpdate, (_, { guild }) => changed(guild.id))
    .on(Events.GuildMemberAvailable, ({ guild }) => changed(guild.id))
    .on(Events.ShardReady, (shardId) => {
      if (readyShards.has(shardId)) return;
      readyShards.add(shardId);
      for (const guild of guilds.filter((each) => each.shardId === shardId).values()) changed(guild.id);
    })
    .on(Events.ShardError, (error, shardId) => {
      if (!hasEnded) outages.get(shardId)?.attempts.failed(error);
    })
    .on(Events.ShardDisconnect, ({ code }) => listener.closed(code))
    .on(Events.ShardReconnecting, (shardId) => {
      if (!hasEnded) outages.get(shardId)?.outage.failed(null);
    });

  return {
    /** Sends the answers to interactions, also after the connections have ended. */
    rest: client.rest,
    /** All guilds that a shard has been told of. */
    guilds,
    /** Null: Discord cannot serve the guild now, or its shard is not connected; undefined: the bot is not in it. */
    find(guildId: string): LibraryGuild | null | undefined {
      // An empty cache proves nothing before the shard has its guilds.
      if (hasEnded || shardCount === null || !readyShards.has(shardOf(guildId, shardCount).id)) return null;
      const guild = guilds.get(guildId);
      return guild === undefined || guild.available ? guild : null;
    },
    state() {
      const shardIds = hasEnded ? [] : [...readyShards];
      return {
        /** Shards of this process that have been logged in, and how many of them are now. */
        shards: shardIds.length,
        ready: shardIds.filter(isConnected).length,
        guilds: guilds.filter(({ shardId }) => shardIds.includes(shardId)).size,
        /** Shards of all processes together; null before the first login. */
        total: shardCount,
      };
    },
    /** Milliseconds from the last heartbeat of each shard to its answer. */
    latencies: () => client.ws.shards.map(({ ping }) => ping).filter((ping) => ping >= 0),
    /** The line below the bot's name, on every shard and after every login. */
    showStatus(text: string): void {
      status = text;
      for (const shardId of client.ws.shards.keys()) showStatusOn(shardId);
    },
    /** Resolves when the first of the shards has received its guilds; rejects if the library cannot begin to connect them. */
    async connect(shards: readonly Shard[]): Promise<void> {
      const { count = 1 } = shards[0] ?? {};
      shardCount = count;
      for (const shard of shards) outages.set(shard.id, createOutages(shard, parts));
      client.options.shards = shards.map(({ id }) => id);
      client.options.shardCount = count;
      const ready = new Promise((resolve) => client.once(Events.ShardReady, resolve));
      await Promise.race([ready, client.login(parts.token).then(() => ready)]);
    },
    /** Ends the connections and their sessions for good. */
    async end(): Promise<void> {
      hasEnded = true;
      for (const cancel of timeOuts.values()) cancel();
      // The library waits for half a minute for Discord, and before that until it can end the shards.
      await resolveWithin(client.destroy(), END_TIMEOUT_MS, clock);
    },
  };
}

/** Discord is tried twice a second; an outage is logged once. */
function createOutages(shard: Shard, { listener, log }: ClientParts) {
  const fields = shard.count === 1 ? {} : { shard: nameOf(shard) };
  return {
    attempts: createOutage((error) => log.warn({ err: error, ...fields }, 'Discord connection failed')),
    outage: createOutage(
      () => {
        log.warn(fields, 'connection to Discord lost; reconnecting');
        listener.away();
      },
      () => log.info(fields, 'reconnected to Discord'),
    ),
  };
}

function createClient({ rest, gateway, throttler }: ClientParts): Client {
  const { apiUrl, makeRequest, rejectOnRateLimit } = rest;
  const client = new Client({
    intents: [GatewayIntentBits.Guilds],
    // Until the bot knows its own: the library would read the variable SHARDS, in a form of its own.
    shards: [0],
    shardCount: 1,
    makeCache: Options.cacheWithLimits(LIMITS),
    // Bodies are written as Discord takes them.
    jsonTransformer: (sent) => sent,
    rest: {
      api: apiUrl ?? DefaultRestOptions.api,
      makeRequest: (url, init) =>
        url.endsWith(Routes.gatewayBot()) ? gateway.makeRequest(url, init) : makeRequest(url, init),
      rejectOnRateLimit,
      // Discord does not count answers to interactions.
      globalRequestsPerSecond: Number.POSITIVE_INFINITY,
    },
    ws: { buildStrategy: (manager) => new PatientStrategy(manager, throttler) },
  });
  // Otherwise the library keeps dispatches until the last shard has its guilds, and applies them late, overtaken by newer ones.
  client.ws.status = Status.Ready;
  return client;
}

/** Guilds, channels, roles and overwrites are kept whole; the bot asks for nothing else. */
const LIMITS: Parameters<typeof Options.cacheWithLimits>[0] = {
  // Interactions may come before the library knows the bot's own user.
  UserManager: { maxSize: 0, keepOverLimit: ({ id, client }) => id === client.user?.id },
  GuildMemberManager: { maxSize: 0, keepOverLimit: ({ id, client }) => id === client.user?.id },
  ApplicationCommandManager: 0,
  ApplicationEmojiManager: 0,
  AutoModerationRuleManager: 0,
  BaseGuildEmojiManager: 0,
  EntitlementManager: 0,
  GuildBanManager: 0,
  GuildEmojiManager: 0,
  GuildInviteManager: 0,
  GuildScheduledEventManager: 0,
  GuildStickerManager: 0,
  MessageManager: 0,
  PresenceManager: 0,
  ReactionManager: 0,
  ReactionUserManager: 0,
  StageInstanceManager: 0,
  ThreadManager: 0,
  ThreadMemberManager: 0,
  VoiceStateManager: 0,
};
