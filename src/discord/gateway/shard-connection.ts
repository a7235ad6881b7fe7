import { EventEmitter } from 'node:events';
import {
  DefaultWebSocketManagerOptions,
  type SessionInfo,
  SimpleIdentifyThrottler,
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
  GatewayIntentBits,
  GatewayOpcodes,
  InteractionType,
  PresenceUpdateStatus,
} from 'discord.js';
import { type Clock, within } from '../../base/clock.ts';
import { DAY } from '../../base/duration.ts';
import type { Log } from '../../base/log.ts';
import { createOutage } from '../../base/outage.ts';
import { nameOf, type Shard } from '../../shards/shard.ts';
import { createInteraction, type Interaction } from '../interaction.ts';
import type { Rest } from '../rest/rest-client.ts';
import { createShardGuilds, type Guild } from './shard-guilds.ts';

/** `arrivedAt`: by the monotonic clock. */
export type HandleInteraction = (interaction: Interaction, arrivedAt: number) => void;

interface ShardConnectionParts {
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
  readonly listener: {
    /** At every login, with the bot's own id. */
    loggedIn(userId: string): void;
    /** A guild has come: at a login, after an outage of Discord, or because the bot was invited. */
    guild(guild: Guild): void;
    left(guildId: string): void;
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

export type ShardConnection = ReturnType<typeof createShardConnection>;

/** How long Discord may take to confirm the end of a connection, in ms. */
const ENDING = 1000;

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
export function createShardConnection(parts: ShardConnectionParts) {
  const { shard, listener, answers, clock } = parts;
  const guilds = createShardGuilds();
  const wait = waitForGuilds(clock);
  const { attempts, outage } = createOutages(parts);
  let connection: WebSocketShard | null = null;
  let latency: number | null = null;
  let hasEnded = false;
  /** Kinds of dispatches that could not be read. */
  const unreadable = new Set<string>();
  /** Each ends the wait for the end of the bot's time-out in a guild. */
  const timeOuts = new Map<string, () => void>();

  const isConnected = (): boolean => connection?.status === WebSocketShardStatus.Ready;

  function receive(dispatch: GatewayDispatchPayload): void {
    const { t, d } = dispatch;
    if (t === GatewayDispatchEvents.InteractionCreate) {
      const interaction = readable(t, () =>
        d.type === InteractionType.Ping ? null : createInteraction(d, answers, guilds.all),
      );
      if (interaction !== null) parts.interactions.handle(interaction, clock.monotonic());
      return;
    }
    const changes = readable(t, () => guilds.apply(dispatch));
    if (changes === null) return;
    if (t === GatewayDispatchEvents.Ready) listener.loggedIn(d.user.id);
    for (const { guildId, came, left } of changes) {
      listener.changed(guildId);
      if (came !== null) listener.guild(came);
      if (left) listener.left(guildId);
      waitForTimeOut(guildId);
    }
    wait.receive(dispatch);
    if (t !== GatewayDispatchEvents.Ready && t !== GatewayDispatchEvents.Resumed) return;
    attempts.worked();
    outage.worked();
    showStatus();
  }

  /** Null for a dispatch that is not as Discord describes it: said once of each kind, since only Discord can mend it. */
  function readable<T>(t: string, read: () => T): T | null {
    try {
      return read();
    } catch (error) {
      if (!unreadable.has(t)) parts.log.warn({ t, why: String(error) }, 'a dispatch cannot be read');
      unreadable.add(t);
      return null;
    }
  }

  /** Discord says nothing when a time-out is over. */
  function waitForTimeOut(guildId: string): void {
    timeOuts.get(guildId)?.();
    timeOuts.delete(guildId);
    const left = (guilds.all.get(guildId)?.timedOutUntil ?? 0) - clock.now();
    if (left <= 0) return;
    const over = (): void => {
      listener.changed(guildId);
      waitForTimeOut(guildId);
    };
    // Timers are no longer than 24 days, and a time-out is.
    timeOuts.set(guildId, clock.after(Math.min(left, DAY), over));
  }

  function showStatus(): void {
    const state = parts.status();
    if (state === null || !isConnected()) return;
    const activities = [{ name: 'status', type: ActivityType.Custom, state }];
    const d = { activities, since: null, status: PresenceUpdateStatus.Online, afk: false };
    // A connection that breaks meanwhile shows it after the next login.
    connection?.send({ op: GatewayOpcodes.PresenceUpdate, d }).catch(() => {});
  }

  function listenTo(opened: WebSocketShard): void {
    opened.on(WebSocketShardEvents.Dispatch, receive);
    opened.on(WebSocketShardEvents.HeartbeatComplete, (beat) => {
      latency = beat.latency;
    });
    opened.on(WebSocketShardEvents.SocketError, attempts.failed);
    opened.on(WebSocketShardEvents.Error, attempts.failed);
    opened.on(WebSocketShardEvents.Closed, (code) => {
      if (FINAL.includes(code)) listener.closed(code);
      else if (!hasEnded) outage.failed(code);
    });
  }

  return {
    shard,
    guilds: guilds.all,
    /** It has been connected, and has received its guilds. */
    isReady: () => wait.isOver() && !hasEnded,
    isConnected,
    /** Milliseconds from the last heartbeat to its answer; null before the first one. */
    latency: () => latency,
    showStatus,
    /** Resolves when the shard has received its guilds; rejects where Discord cannot be asked for its address. */
    async connect(): Promise<void> {
      const gatewayInformation = await parts.gateway();
      if (hasEnded) return;
      connection = createWebSocket(parts, gatewayInformation, () => hasEnded);
      listenTo(connection);
      await Promise.all([wait.over, connection.connect()]);
      for (const guildId of guilds.all.keys()) listener.changed(guildId);
    },
    /** Ends the connection and its session for good. */
    async end(): Promise<void> {
      hasEnded = true;
      wait.cancel();
      for (const cancel of timeOuts.values()) cancel();
      if (connection === null) return;
      surviveFailure(connection);
      // The library waits for ever where the connection is being made.
      await within(connection.destroy(), ENDING, clock);
    },
  };
}

/** Discord is tried twice a second; an outage is logged once. */
function createOutages({ shard, listener, log }: ShardConnectionParts) {
  const where = shard.count === 1 ? {} : { shard: nameOf(shard) };
  return {
    attempts: createOutage((error) => log.warn({ err: error, ...where }, 'Discord connection failed')),
    outage: createOutage(
      () => {
        log.warn(where, 'connection to Discord lost; reconnecting');
        listener.away();
      },
      () => log.info(where, 'reconnected to Discord'),
    ),
  };
}

/** Spaces out the logins of a process. `concurrency`: Discord's `max_concurrency`. */
export function createIdentifyThrottler(concurrency: number): SimpleIdentifyThrottler {
  return new SimpleIdentifyThrottler(concurrency);
}

function createWebSocket(
  { shard, token, identify }: ShardConnectionParts,
  gatewayInformation: APIGatewayBotInfo,
  hasEnded: () => boolean,
): WebSocketShard {
  let session: SessionInfo | null = null;
  const created: WebSocketShard = new WebSocketShard(
    {
      options: {
        ...DefaultWebSocketManagerOptions,
        token,
        intents: GatewayIntentBits.Guilds,
        gatewayInformation,
        shardCount: shard.count,
      },
      retrieveSessionInfo() {
        // Where the library was waiting for Discord, it connects again after its end, and begins with this.
        const connectsAgain = hasEnded() && created.status === WebSocketShardStatus.Idle;
        return connectsAgain ? new Promise(() => {}) : session;
      },
      updateSessionInfo(_id, info) {
        session = info;
      },
      waitForIdentify: (_id, signal) => identify(shard, signal),
    },
    shard.id,
  );
  return created;
}

/** The library stops listening to a socket that is still connecting when it is destroyed: its failure would end the process. */
function surviveFailure(ending: WebSocketShard): void {
  const socket: unknown = Reflect.get(ending, 'connection');
  if (socket instanceof EventEmitter) socket.on('error', () => {});
}

/** How long the next guild is waited for, in ms: one that Discord cannot serve does not come. */
const NEXT_GUILD = 15_000;

/** A login names the guilds, and each one comes later. */
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
    /** Resolves at the end. */
    over,
    isOver: () => isOver,
    receive({ t, d }: GatewayDispatchPayload): void {
      if (isOver) return;
      if (t === GatewayDispatchEvents.Ready) {
        awaited.clear();
        for (const { id } of d.guilds) awaited.add(id);
        wait();
      } else if (t === GatewayDispatchEvents.GuildCreate || t === GatewayDispatchEvents.GuildDelete) {
        if (awaited.delete(d.id)) wait();
      }
    },
    cancel: () => cancel(),
  };
}
