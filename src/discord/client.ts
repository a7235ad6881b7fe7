import {
  Client,
  DiscordjsError,
  DiscordjsErrorCodes,
  Events,
  GatewayCloseCodes,
  type Interaction,
  Options,
  type REST,
} from 'discord.js';
import { StartError } from '../errors.ts';
import type { Log } from '../log.ts';
import { INTENTS } from './intents.ts';

/** Milliseconds that a request waits for a rate limit to pass. */
const LONGEST_WAIT = 60_000;

export interface Connection {
  /** Empty until {@link logIn} resolves. */
  readonly client: Client;
  /** Needs no gateway connection. */
  readonly rest: REST;
  /** Milliseconds from the last heartbeat to its answer; null before the first one. */
  readonly latency: () => number | null;
  /**
   * Opens the gateway connection, once; `handle` then gets every interaction. Resolves with the application's id.
   * Throws a {@link StartError} for a problem that only the bot's owner can fix.
   */
  logIn(handle: (interaction: Interaction) => void): Promise<string>;
  /** Whether Discord has answered a login at all; until then none has been counted. */
  readonly isReached: () => boolean;
  /** Resolves with the reason when Discord has closed the connection for good. */
  readonly lost: Promise<StartError>;
  close(): Promise<void>;
}

interface ConnectionOptions {
  readonly token: string;
  readonly apiUrl: string | null;
  readonly log: Log;
}

/** The connection to Discord, before login, so that other parts can be built on it first. */
export function createConnection({ token, apiUrl, log }: ConnectionOptions): Connection {
  const client = createClient(apiUrl);
  client.rest.setToken(token);
  logTroubles(client, log);
  const lost = Promise.withResolvers<StartError>();
  // After these close codes discord.js stays disconnected silently.
  client.on(Events.ShardDisconnect, ({ code }) => lost.resolve(new StartError(whyClosed(code))));

  return {
    client,
    rest: client.rest,
    latency: () => (client.ws.ping < 0 ? null : client.ws.ping),
    async logIn(handle) {
      client.on(Events.InteractionCreate, handle);
      const ready = new Promise<Client<true>>((resolve) => client.once(Events.ClientReady, resolve));
      try {
        const outcome = await Promise.race([
          Promise.all([ready, client.login(token)]).then(([{ application }]) => application.id),
          lost.promise,
        ]);
        if (outcome instanceof StartError) throw outcome;
        return outcome;
      } catch (error) {
        await client.destroy();
        const isRefused = error instanceof DiscordjsError && error.code === DiscordjsErrorCodes.TokenInvalid;
        throw isRefused ? new StartError(whyClosed(GatewayCloseCodes.AuthenticationFailed)) : error;
      }
    },
    // The shards are known from Discord's first answer on.
    isReached: () => client.ws.shards.size > 0,
    lost: lost.promise,
    close() {
      client.removeAllListeners(Events.ShardReconnecting);
      return client.destroy();
    },
  };
}

function createClient(apiUrl: string | null): Client {
  return new Client({
    intents: [...INTENTS],
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
    rest: {
      // A wait of a day (for publishing commands) would block everything, and nobody waits longer than this for a
      // reply.
      rejectOnRateLimit: ({ retryAfter }) => retryAfter > LONGEST_WAIT,
      ...(apiUrl === null ? {} : { api: apiUrl }),
    },
  });
}

/** discord.js retries twice a second; an outage is logged once. */
function logTroubles(client: Client, log: Log): void {
  client.on(Events.Error, (error) => log.error({ err: error }, 'Discord client error'));
  client.on(Events.Warn, (warning) => log.warn({ warning }, 'Discord client warning'));
  client.on(Events.ShardError, (error) => log.warn({ err: error }, 'Discord connection failed'));
  let away = false;
  const back = (): void => {
    if (away) log.info('reconnected to Discord');
    away = false;
  };
  client.on(Events.ShardReconnecting, () => {
    log[away ? 'debug' : 'warn']('connection to Discord lost; reconnecting');
    away = true;
  });
  client.on(Events.ShardResume, back);
  client.on(Events.ShardReady, back);
}

function whyClosed(code: number): string {
  switch (code) {
    case GatewayCloseCodes.AuthenticationFailed:
      return 'DISCORD_TOKEN was rejected by Discord. Copy it again from the Discord Developer Portal (Bot, Reset Token)';
    case GatewayCloseCodes.DisallowedIntents:
    case GatewayCloseCodes.InvalidIntents:
      return `DISCORD_TOKEN: Discord denies this bot the intents it asks for (Guilds, code ${code}). Check the Bot page of the Discord Developer Portal`;
    default:
      return `DISCORD_TOKEN: Discord closed the connection for good (code ${code}, ${GatewayCloseCodes[code] ?? 'unknown'})`;
  }
}
