import {
  DefaultWebSocketManagerOptions,
  type SessionInfo,
  WebSocketShard,
  WebSocketShardEvents,
  WebSocketShardStatus,
} from '@discordjs/ws';
import {
  ActivityType,
  type APIGatewayBotInfo,
  GatewayCloseCodes,
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  GatewayOpcodes,
  InteractionType,
  PresenceUpdateStatus,
} from 'discord-api-types/v10';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { nameOf, type Shard } from '../shards/shard.ts';
import { INTENTS } from './intents.ts';
import { createInteraction, type Interaction } from './interaction.ts';
import type { Rest } from './rest-client.ts';
import { createShardGuilds, type Guild, type ShardGuilds } from './shard-guilds.ts';

/** The bot's own ids. */
export interface Identity {
  readonly userId: string;
  readonly applicationId: string;
}

export interface ShardListener {
  /** At every login. */
  loggedIn(identity: Identity): void;
  interaction(interaction: Interaction): void;
  /** A guild has come: at a login, after an outage of Discord, or because the bot was invited. */
  guild(guild: Guild): void;
  /** A guild may have changed. */
  changed(guildId: string): void;
  /** The connection was lost; it comes back by itself. */
  away(): void;
  /** Discord has closed the connection for good. */
  closed(code: number): void;
}

export interface ShardConnectionParts {
  readonly shard: Shard;
  readonly token: string;
  /** Of Discord's answer, the address is used. */
  readonly gateway: () => Promise<APIGatewayBotInfo>;
  /** Sends the answers to interactions, also after the connection has ended. */
  readonly answers: Rest;
  /** Resolves when the shard may identify; rejects only with the signal's reason. */
  readonly identify: (shard: Shard, signal: AbortSignal) => Promise<void>;
  /** The line below the bot's name; null for none. */
  readonly status: () => string | null;
  readonly listener: ShardListener;
  readonly clock: Pick<Clock, 'after'>;
  readonly log: Log;
}

export interface ShardConnection {
  readonly shard: Shard;
  readonly guilds: ShardGuilds['all'];
  /** Whether it has been connected, and received its guilds. */
  isReady(): boolean;
  isConnected(): boolean;
  /** Milliseconds from the last heartbeat to its answer; null before the first one. */
  latency(): number | null;
  showStatus(): void;
  /** Resolves when the shard has received its guilds; rejects where Discord cannot be asked for its address. */
  connect(): Promise<void>;
  /** Ends the connection and its session for good. */
  end(): Promise<void>;
}

/** How long the next guild is waited for after a login, in ms: one that Discord cannot serve does not come. */
const NEXT_GUILD = 15_000;

/** After these, the library stays disconnected. */
const FINAL: readonly number[] = [
  GatewayCloseCodes.AuthenticationFailed,
  GatewayCloseCodes.InvalidShard,
  GatewayCloseCodes.ShardingRequired,
  GatewayCloseCodes.InvalidAPIVersion,
  GatewayCloseCodes.InvalidIntents,
  GatewayCloseCodes.DisallowedIntents,
];

/** One shard's connection to the gateway, which resumes its session or logs in again whenever it is lost. */
export function createShardConnection(parts: ShardConnectionParts): ShardConnection {
  const { shard, listener, answers, clock } = parts;
  const guilds = createShardGuilds();
  const login = waitForGuilds(clock);
  const outage = createOutage(parts);
  let connection: WebSocketShard | null = null;
  let latency: number | null = null;
  let hasEnded = false;

  const isConnected = (): boolean => connection?.status === WebSocketShardStatus.Ready;

  function receive(dispatch: GatewayDispatchPayload): void {
    const { t, d } = dispatch;
    if (t === GatewayDispatchEvents.InteractionCreate && d.type !== InteractionType.Ping) {
      listener.interaction(createInteraction(d, answers, guilds.all));
      return;
    }
    if (t === GatewayDispatchEvents.Ready)
      listener.loggedIn({ userId: d.user.id, applicationId: d.application.id });
    for (const { guildId, came } of guilds.apply(dispatch)) {
      listener.changed(guildId);
      if (came !== null) listener.guild(came);
    }
    login.receive(dispatch);
    if (t !== GatewayDispatchEvents.Ready && t !== GatewayDispatchEvents.Resumed) return;
    outage.over();
    showStatus();
  }

  function showStatus(): void {
    const state = parts.status();
    if (state === null || !isConnected()) return;
    const activities = [{ name: 'status', type: ActivityType.Custom, state }];
    const d = { activities, since: null, status: PresenceUpdateStatus.Online, afk: false };
    // A connection that breaks meanwhile shows it after the next login.
    connection?.send({ op: GatewayOpcodes.PresenceUpdate, d }).catch(() => {});
  }

  return {
    shard,
    guilds: guilds.all,
    isReady: login.isOver,
    isConnected,
    latency: () => latency,
    showStatus,
    async connect() {
      const gatewayInformation = await parts.gateway();
      if (hasEnded) return;
      connection = open(parts, gatewayInformation, () => hasEnded);
      connection.on(WebSocketShardEvents.Dispatch, receive);
      connection.on(WebSocketShardEvents.HeartbeatComplete, (beat) => {
        latency = beat.latency;
      });
      connection.on(WebSocketShardEvents.SocketError, outage.failed);
      connection.on(WebSocketShardEvents.Error, outage.failed);
      connection.on(WebSocketShardEvents.Closed, (code) => {
        if (FINAL.includes(code)) listener.closed(code);
        else if (!hasEnded) outage.begin();
      });
      await Promise.all([login.over, connection.connect()]);
      for (const guildId of guilds.all.keys()) listener.changed(guildId);
    },
    async end() {
      hasEnded = true;
      login.cancel();
      await connection?.destroy();
    },
  };
}

function open(
  { shard, token, identify }: ShardConnectionParts,
  gatewayInformation: APIGatewayBotInfo,
  hasEnded: () => boolean,
): WebSocketShard {
  let session: SessionInfo | null = null;
  const intents = INTENTS.reduce((all, intent) => all | intent, 0);
  return new WebSocketShard(
    {
      options: {
        ...DefaultWebSocketManagerOptions,
        token,
        intents,
        gatewayInformation,
        shardCount: shard.count,
      },
      // The library connects again what is ended while it waits for Discord; this is the first thing it asks for.
      retrieveSessionInfo: () => (hasEnded() ? new Promise(() => {}) : session),
      updateSessionInfo(_id, info) {
        session = info;
      },
      waitForIdentify: (_id, signal) => identify(shard, signal),
    },
    shard.id,
  );
}

/** The time between a login and the moment when all guilds are there. */
function waitForGuilds(clock: Pick<Clock, 'after'>) {
  const awaited = new Set<string>();
  const { promise: over, resolve } = Promise.withResolvers<void>();
  let isOver = false;
  let cancel = (): void => {};

  function end(): void {
    isOver = true;
    resolve();
  }

  function wait(): void {
    cancel();
    if (awaited.size === 0) end();
    else cancel = clock.after(NEXT_GUILD, end);
  }

  return {
    over,
    isOver: () => isOver,
    receive({ t, d }: GatewayDispatchPayload): void {
      if (isOver) return;
      if (t === GatewayDispatchEvents.Ready) {
        for (const { id } of d.guilds) awaited.add(id);
        wait();
      } else if (t === GatewayDispatchEvents.GuildCreate || t === GatewayDispatchEvents.GuildDelete) {
        if (awaited.delete(d.id)) wait();
      }
    },
    cancel: () => cancel(),
  };
}

/** Discord is tried twice a second; an outage is logged once. */
function createOutage({ shard, listener, log }: ShardConnectionParts) {
  const where = shard.count === 1 ? {} : { shard: nameOf(shard) };
  let isAway = false;
  return {
    failed: (error: Error) =>
      log[isAway ? 'debug' : 'warn']({ err: error, ...where }, 'Discord connection failed'),
    begin(): void {
      log[isAway ? 'debug' : 'warn'](where, 'connection to Discord lost; reconnecting');
      if (!isAway) listener.away();
      isAway = true;
    },
    over(): void {
      if (isAway) log.info(where, 'reconnected to Discord');
      isAway = false;
    },
  };
}
