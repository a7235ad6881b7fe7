import {
  Client,
  DiscordjsError,
  DiscordjsErrorCodes,
  Events,
  GatewayCloseCodes,
  GatewayIntentBits,
  type Interaction,
  Options,
  type REST,
} from 'discord.js';
import { StartError } from '../errors.ts';
import type { Log } from '../log.ts';
import { sendForms } from './send-forms.ts';

export interface Connection {
  /** For what follows the live connection: boards, presence. */
  readonly client: Client<true>;
  readonly rest: REST;
  readonly applicationId: string;
  /** Milliseconds from the last heartbeat to its answer; null before the first one. */
  readonly latency: () => number | null;
  /** Resolves when chat has closed the connection for good, with the reason. */
  readonly lost: Promise<StartError>;
  close(): Promise<void>;
}

interface ConnectOptions {
  readonly token: string;
  readonly apiUrl: string | null;
  readonly log: Log;
  readonly handle: (interaction: Interaction) => void;
}

/** Logs in and resolves when the bot is ready. Throws a {@link StartError} for what only its owner can mend. */
export async function connect({ token, apiUrl, log, handle }: ConnectOptions): Promise<Connection> {
  const client = new Client({
    intents: [GatewayIntentBits.Guilds],
    allowedMentions: { parse: [] },
    // Nothing is looked up in these: interactions bring all that is needed with them.
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
    rest: { makeRequest: sendForms, ...(apiUrl === null ? {} : { api: apiUrl }) },
  });
  const lost = Promise.withResolvers<StartError>();

  client.on(Events.InteractionCreate, handle);
  client.on(Events.Error, (error) => log.error({ err: error }, 'the chat client failed'));
  client.on(Events.Warn, (warning) => log.warn({ warning }, 'the chat client warns'));
  client.on(Events.ShardError, (error) => log.warn({ err: error }, 'the connection to chat failed'));
  // The client tries twice a second for as long as it takes; an outage is told once.
  let away = false;
  const back = (): void => {
    if (away) log.info('connected to chat again');
    away = false;
  };
  client.on(Events.ShardReconnecting, () => {
    log[away ? 'debug' : 'warn']('the connection to chat is lost; connecting anew');
    away = true;
  });
  client.on(Events.ShardResume, back);
  client.on(Events.ShardReady, back);
  // The client stays idle after these without a word.
  client.on(Events.ShardDisconnect, ({ code }) => lost.resolve(new StartError(whyClosed(code))));

  const begun = new Promise<Client<true>>((resolve) => client.once(Events.ClientReady, resolve));
  const started = client.login(token).then(() => begun);
  const refused = lost.promise.then((error) => {
    throw error;
  });
  try {
    const ready = await Promise.race([started, refused]);
    refused.catch(() => {});
    return {
      client: ready,
      rest: client.rest,
      applicationId: ready.application.id,
      latency: () => (client.ws.ping < 0 ? null : client.ws.ping),
      lost: lost.promise,
      close() {
        client.removeAllListeners(Events.ShardReconnecting);
        return client.destroy();
      },
    };
  } catch (error) {
    started.catch(() => {});
    refused.catch(() => {});
    await client.destroy();
    throw error instanceof DiscordjsError && error.code === DiscordjsErrorCodes.TokenInvalid
      ? new StartError(whyClosed(GatewayCloseCodes.AuthenticationFailed))
      : error;
  }
}

function whyClosed(code: number): string {
  switch (code) {
    case GatewayCloseCodes.AuthenticationFailed:
      return 'DISCORD_TOKEN: chat does not accept it; copy it anew from the Discord Developer Portal (Bot, Reset Token)';
    case GatewayCloseCodes.DisallowedIntents:
    case GatewayCloseCodes.InvalidIntents:
      return `DISCORD_TOKEN: chat does not allow this bot the intents that it asks for (Guilds, code ${code}); look at the Bot page of the Discord Developer Portal`;
    default:
      return `DISCORD_TOKEN: chat has closed the connection for good (code ${code}, ${GatewayCloseCodes[code] ?? 'unknown'})`;
  }
}
