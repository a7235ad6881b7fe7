import {
  ActivityType,
  type APIInteraction,
  Client,
  Events,
  GatewayDispatchEvents,
  type GatewayGuildCreateDispatchData,
  type GatewayGuildDeleteDispatchData,
  GatewayIntentBits,
  type GatewayReadyDispatchData,
  type IIdentifyThrottler,
  InteractionType,
  Options,
  type RESTOptions,
  Status,
} from 'discord.js';
import { type Clock, resolveWithin } from '../../base/clock.ts';
import { DAY } from '../../base/duration.ts';
import type { Log } from '../../base/log.ts';
import { createOutage } from '../../base/outage.ts';
import { nameOf, type Shard } from '../../shards/shard.ts';
import { createInteraction, type Interaction } from '../interaction.ts';
import type { Rest } from '../rest/rest-client.ts';
import { type Guild, guildOf } from './guild.ts';
import { createShardStrategy } from './shard-strategy.ts';

/** `arrivedAt`: by the monotonic clock. */
export type HandleInteraction = (interaction: Interaction, arrivedAt: number) => void;

interface ShardClientParts {
  readonly shard: Shard;
  readonly token: string;
  readonly gateway: {
    /** Rejects if Discord cannot be asked where the gateway is. */
    answer(): Promise<unknown>;
    /** Answers the client's only request, the one for the gateway's address. */
    readonly makeRequest: RESTOptions['makeRequest'];
  };
  /** Sends the answers to interactions, also after the connection has ended. */
  readonly answers: Rest;
  /** Shared by all shards: resolves when one of them may log in. */
  readonly throttler: IIdentifyThrottler;
  /** The line below the bot's name; null for none. */
  readonly status: () => string | null;
  readonly listener: {
    /** At every login, with the bot's own id. */
    loggedIn(userId: string): void;
    /** A guild has come: at a login, after an outage of Discord, or because the bot was invited. */
    guild(guild: Guild): void;
    /** A guild may have changed. */
    changed(guildId: string): void;
    /** The connection was lost; it comes back by itself. */
    away(): void;
    /** Discord has closed the connection for good. */
    closed(code: number): void;
  };
  /** Takes them; another one does once there is someone to answer. */
  readonly interactions: { readonly handle: HandleInteraction };
  readonly clock: Clock;
  readonly log: Log;
}

export type ShardClient = ReturnType<typeof createShardClient>;

/** Longest wait for Discord to confirm the end of a connection. */
const END_TIMEOUT_MS = 1000;

/** One shard with a client of its own, which resumes its session or logs in again whenever the connection is lost. */
export function createShardClient(parts: ShardClientParts) {
  const { shard, listener, answers, clock } = parts;
  const { attempts, outage } = createOutages(parts);
  const client = createClient(parts, receive);
  const guilds = client.guilds.cache;
  let isReady = false;
  let hasEnded = false;
  /** Each ends the wait for the end of the bot's time-out in a guild. */
  const timeOuts = new Map<string, () => void>();

  const isConnected = (): boolean => {
    const status = client.ws.shards.get(shard.id)?.status;
    return status === Status.Ready || status === Status.WaitingForGuilds;
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

  function receive(raw: APIInteraction): void {
    if (raw.type === InteractionType.Ping) return;
    const interaction = createInteraction(raw, answers, { get: (id) => guildOf(guilds.get(id)) });
    parts.interactions.handle(interaction, clock.monotonic());
  }

  /** discord.js keeps a guild that the bot has left while the connection was lost. */
  function forgetOthers(currentIds: ReadonlySet<string>): void {
    for (const guild of guilds.filter(({ id }) => !currentIds.has(id)).values()) {
      for (const id of guild.channels.cache.keys()) client.channels.cache.delete(id);
      guilds.delete(guild.id);
      changed(guild.id);
    }
  }

  function cameBack(): void {
    attempts.worked();
    outage.worked();
    showStatus();
  }

  function showStatus(): void {
    const state = parts.status();
    if (state === null || !isConnected()) return;
    client.user?.setPresence({ activities: [{ name: 'status', type: ActivityType.Custom, state }] });
  }

  client.ws.on(GatewayDispatchEvents.Ready, ({ user, guilds: currentGuilds }: GatewayReadyDispatchData) => {
    listener.loggedIn(user.id);
    // The client has applied it by then.
    queueMicrotask(() => {
      cameBack();
      for (const { id } of currentGuilds) changed(id);
      forgetOthers(new Set(currentGuilds.map(({ id }) => id)));
    });
  });
  client.ws.on(GatewayDispatchEvents.Resumed, () => queueMicrotask(cameBack));
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
    .on(Events.ShardError, (error) => {
      if (!hasEnded) attempts.failed(error);
    })
    .on(Events.ShardDisconnect, ({ code }) => listener.closed(code))
    .on(Events.ShardReconnecting, () => {
      if (!hasEnded) outage.failed(null);
    });

  return {
    shard,
    guilds,
    /** The shard has been connected, and has received its guilds. */
    isReady: () => isReady && !hasEnded,
    isConnected,
    /** Milliseconds from the last heartbeat to its answer; null before the first one. */
    latency: () => (client.ws.ping >= 0 ? client.ws.ping : null),
    showStatus,
    /** Resolves when the shard has received its guilds; rejects if Discord cannot be asked for the gateway's address. */
    async connect(): Promise<void> {
      await parts.gateway.answer();
      if (hasEnded) return;
      const ready = new Promise((resolve) => client.once(Events.ShardReady, resolve));
      await client.login(parts.token);
      await ready;
      isReady = true;
      for (const guildId of guilds.keys()) changed(guildId);
    },
    /** Ends the connection and its session for good. */
    async end(): Promise<void> {
      hasEnded = true;
      for (const cancel of timeOuts.values()) cancel();
      // The library waits for half a minute for Discord, and before that until it can end the shard.
      await resolveWithin(client.destroy(), END_TIMEOUT_MS, clock);
    },
  };
}

/** Discord is tried twice a second; an outage is logged once. */
function createOutages({ shard, listener, log }: ShardClientParts) {
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

function createClient(
  { shard, gateway, throttler, log }: ShardClientParts,
  interaction: (raw: APIInteraction) => void,
): Client {
  const client = new Client({
    shards: [shard.id],
    shardCount: shard.count,
    intents: [GatewayIntentBits.Guilds],
    makeCache: Options.cacheWithLimits(LIMITS),
    rest: { makeRequest: gateway.makeRequest },
    ws: createShardStrategy({ throttler, interaction, log }),
  });
  // Otherwise the library keeps dispatches until it has all guilds. It then applies them late, one a turn, where nothing
  // catches what it throws.
  client.ws.status = Status.Ready;
  return client;
}

/** Guilds, channels, roles and overwrites are kept whole; the bot asks for nothing else. */
const LIMITS: Parameters<typeof Options.cacheWithLimits>[0] = {
  UserManager: { maxSize: 0, keepOverLimit: (user) => user.id === user.client.user.id },
  GuildMemberManager: { maxSize: 0, keepOverLimit: (member) => member.id === member.client.user.id },
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
