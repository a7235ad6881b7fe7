/** The local chat server as tests, the demo and its page use it. The bot knows nothing of this: it gets REST and a gateway. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  type APIApplicationCommand,
  type APIApplicationCommandOptionChoice,
  type APIChannel,
  type APIGuildMember,
  type APIInteraction,
  type APIMessage,
  GatewayDispatchEvents,
  type GatewayPresenceUpdate,
  GatewayIntentBits as Intent,
  PresenceUpdateStatus,
} from 'discord-api-types/v10';
import { createAttachments } from './attachments.ts';
import { createCommands } from './commands.ts';
import { createCommunityLife } from './community-life.ts';
import { createFaults } from './faults.ts';
import { createGateway } from './gateway.ts';
import { seedGuild } from './guild.ts';
import { botPresence, guildCreate, messageEvent, presenceOf, readableByBot } from './guild-events.ts';
import { directChannel, guildRoutes } from './guild-routes.ts';
import { interactionRoutes } from './interaction-routes.ts';
import { createInteractions } from './interactions.ts';
import { messageRoutes } from './message-routes.ts';
import { createMessages } from './messages.ts';
import { createModerator } from './moderator.ts';
import { createRateLimits } from './rate-limits.ts';
import { type AnsweredRequest, createRestServer } from './rest.ts';
import { createSnowflakes } from './snowflake.ts';
import { createVisitor } from './visitor.ts';

/** What a visitor types into one option of a slash command, or a subcommand with its own. */
export interface TypedOption {
  readonly name: string;
  readonly value: string | number | boolean;
}

/** How an interaction went, as the person sees it. */
export interface Outcome {
  readonly interactionId: string;
  /** `failed`: nothing acknowledged it within three seconds ("The application did not respond"). */
  readonly acknowledged: 'replied' | 'deferred' | 'updated' | 'failed';
  /** Milliseconds from sending it to its acknowledgement. */
  readonly after: number;
  /** The message it led to, once it is no longer "thinking"; null where it failed or only updated nothing. */
  readonly message: APIMessage | null;
}

/** A person at the chat: sees what this account may see (private replies included) and does what it may do. */
export interface Visitor {
  readonly id: string;
  commands(): readonly APIApplicationCommand[];
  /** Oldest first; private replies only to their own reader. */
  messages(channelId: string): readonly APIMessage[];
  say(channelId: string, content: string): APIMessage;
  /** Suggestions for the option that is being typed. Empty when the bot does not answer within three seconds. */
  complete(
    channelId: string,
    command: string,
    options: readonly TypedOption[],
    focused: string,
  ): Promise<readonly APIApplicationCommandOptionChoice[]>;
  /** `command` may be `board create`: the subcommand follows after a space. */
  invoke(channelId: string, command: string, options: readonly TypedOption[]): Promise<Outcome>;
  /** Presses a button, or picks `values` in a menu. */
  press(messageId: string, customId: string, values?: readonly string[]): Promise<Outcome>;
}

/** What can be made to go wrong, by name, so that a page and a test switch the same thing. */
export interface ChatFault {
  readonly name: string;
  /** For the page. */
  readonly label: string;
  readonly on: boolean;
}

export type ChatEvent =
  | {
      readonly type: 'message';
      readonly change: 'create' | 'update';
      readonly message: APIMessage;
      readonly readerId: string | null;
    }
  | {
      readonly type: 'message-delete';
      readonly channelId: string;
      readonly messageId: string;
      readonly readerId: string | null;
    }
  | { readonly type: 'commands' }
  | { readonly type: 'members' }
  | { readonly type: 'channels' }
  | { readonly type: 'faults' }
  /**
   * One payload that the bot sent, whole: what tests search for secrets. The method of a gateway frame is its
   * opcode: IDENTIFY and RESUME are the two that the token belongs into.
   */
  | { readonly type: 'payload'; readonly method: string; readonly path: string; readonly body: unknown };

/** What somebody with every right does to the guild, past the bot. */
export interface Moderator {
  deleteMessage(messageId: string): void;
  /** With all its messages. */
  deleteChannel(channelId: string): void;
  /** Replaces what the channel says of that role or member; bits of PermissionFlagsBits. Both 0: says nothing. */
  setOverwrite(
    channelId: string,
    overwrite: {
      readonly id: string;
      readonly type: 'role' | 'member';
      readonly allow: bigint;
      readonly deny: bigint;
    },
  ): void;
}

export interface ChatServerOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number;
  readonly token?: string;
  /** Unix milliseconds. Ages, limits and lifetimes go by it; deadlines that people wait for go by timers. */
  readonly now?: () => number;
  /** Privileged intents that the bot has been granted; none by default. */
  readonly grantedIntents?: number;
}

export interface ChatServer {
  /** For DISCORD_API_URL: `http://127.0.0.1:<port>/api`. */
  readonly apiUrl: string;
  readonly token: string;
  readonly guildId: string;
  readonly guildName: string;
  readonly channels: readonly APIChannel[];
  readonly members: readonly (APIGuildMember & { readonly status: string })[];
  visitor(userId: string): Visitor;
  /** The people who live in this chat; the first one is the visitor of the page. */
  readonly people: readonly string[];
  readonly presence: GatewayPresenceUpdate | null;
  readonly faults: readonly ChatFault[];
  setFault(name: string, on: boolean): void;
  subscribe(listener: (event: ChatEvent) => void): () => void;
  /** Resolves when a bot has identified and its commands are published. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

/** The server as it is started: what {@link ChatServer} shows of it, and what only tests and the demo do with it. */
export interface LocalChat extends ChatServer {
  readonly botId: string;
  /** The first one has Manage Server, the others have not. */
  readonly people: readonly string[];
  readonly moderator: Moderator;
  /** The channel of that person's direct conversation with the bot. */
  directChannel(userId: string): string;
  /** Throws for an unknown name. With `times` the fault ends by itself after it has struck so often. */
  setFault(name: string, on: boolean, times?: number): void;
  /** What REST was asked and answered, oldest first; the last ten thousand. */
  readonly requests: readonly AnsweredRequest[];
  /** Closes the bot's live connection with a code, for instance 4004 or 4014. */
  disconnect(code: number): void;
  /** Lets `seconds` of the community's life pass at once: people come, go and fall idle. */
  advance(seconds: number): void;
}

/** How late interactions are under the fault of that name. */
const LATE = 3500;
const KEPT_REQUESTS = 10_000;
/** A plain number: the flags have no name for none of them. */
const NO_FLAGS: number = 0;

/** Puts the chat server together and starts it; it listens on loopback only. */
export async function startChatServer(options: ChatServerOptions = {}): Promise<LocalChat> {
  const { port = 0, now = Date.now, grantedIntents = 0 } = options;
  const guild = seedGuild();
  const token = options.token ?? inventToken(guild.bot.id);
  const nextId = createSnowflakes(now);
  const live = createCommunityLife(guild);
  const listeners = new Set<(event: ChatEvent) => void>();
  const requests: AnsweredRequest[] = [];
  const waitingForBot = new Set<{ resolve: () => void; reject: (error: Error) => void }>();
  const late = new Set<NodeJS.Timeout>();
  let presence: GatewayPresenceUpdate | null = null;

  function emit(event: ChatEvent): void {
    for (const listener of listeners) listener(event);
  }

  function checkReady(): void {
    if (gateway.connections === 0 || commands.all.length === 0) return;
    for (const { resolve } of waitingForBot) resolve();
    waitingForBot.clear();
  }

  const faults = createFaults((name, on) => {
    emit({ type: 'faults' });
    if (name === 'guild-unavailable' && on) {
      const d = { id: guild.facts.id, unavailable: true } as const;
      gateway.send({ t: GatewayDispatchEvents.GuildDelete, d }, Intent.Guilds);
    } else if (name === 'guild-unavailable') {
      const back = (intents: number) => ({
        t: GatewayDispatchEvents.GuildCreate as const,
        d: guildCreate(guild, intents),
      });
      gateway.send(back, Intent.Guilds);
    }
    if (on && name === 'gateway-drop') gateway.drop();
    if (on && name === 'gateway-reconnect') gateway.reconnect();
    if (on && name === 'gateway-invalid') gateway.invalidate();
  });
  const messages = createMessages(now, nextId, (changed) => {
    const { change, message, readerId } = changed;
    const { channel_id: channelId, id: messageId } = message;
    if (change === 'delete') emit({ type: 'message-delete', channelId, messageId, readerId });
    else emit({ type: 'message', change, message, readerId });
    const told = messageEvent(guild, grantedIntents, changed);
    if (told !== null) gateway.send(told.event, told.intent);
  });
  const interactions = createInteractions(now);
  const attachments = createAttachments(nextId, () => origin);
  const commands = createCommands(guild, nextId, () => {
    emit({ type: 'commands' });
    checkReady();
  });
  const shown = (message: APIMessage) => readableByBot(guild, grantedIntents, message);
  const server = createRestServer({
    token,
    rates: createRateLimits(now),
    faults,
    now,
    routes: [
      ...guildRoutes({ guild, nextId, gatewayUrl: () => gateway.url }),
      ...commands.routes,
      ...interactionRoutes({ guild, messages, interactions, attachments }),
      ...messageRoutes({ guild, messages, attachments, faults, now, shown }),
      ...attachments.routes,
    ],
    received: ({ method, path, body }) => emit({ type: 'payload', method, path, body }),
    answered: (request) => {
      requests.push(request);
      if (requests.length > KEPT_REQUESTS) requests.shift();
    },
  });
  const gateway = createGateway({
    server,
    token,
    granted: grantedIntents,
    welcome: (intents) => ({
      ready: {
        user: guild.bot,
        guilds: [{ id: guild.facts.id, unavailable: true }],
        application: { id: guild.bot.id, flags: NO_FLAGS, flags_new: '0' },
      },
      guild: faults.isOn('guild-unavailable') ? null : guildCreate(guild, intents),
    }),
    received: (method, body) => emit({ type: 'payload', method, path: '/gateway', body }),
    presence(sent) {
      presence = gateway.connections === 0 ? null : botPresence(guild, sent, now());
      emit({ type: 'members' });
    },
    connected: checkReady,
  });
  const moderator = createModerator(guild, messages, gateway, () => emit({ type: 'channels' }));

  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const origin = new URL(gateway.url.replace('ws:', 'http:')).origin;

  return {
    apiUrl: `${origin}/api`,
    token,
    guildId: guild.facts.id,
    guildName: guild.facts.name,
    botId: guild.bot.id,
    people: [...guild.residents.keys()].filter((id) => id !== guild.bot.id),
    moderator,
    requests,
    get channels() {
      return [...guild.channels.values()];
    },
    get members() {
      return [...guild.residents.values()].map(({ member, status }) => ({
        ...member,
        status: member.user.id === guild.bot.id ? (presence?.status ?? PresenceUpdateStatus.Offline) : status,
      }));
    },
    get presence() {
      return presence;
    },
    get faults() {
      return faults.all;
    },
    setFault: (name, on, times) => faults.set(name, on, times),
    disconnect: (code) => gateway.disconnect(code),
    directChannel: (userId) => directChannel(guild, userId, nextId).id,
    advance(seconds) {
      for (const resident of live(seconds)) {
        const d = presenceOf(guild, resident);
        gateway.send({ t: GatewayDispatchEvents.PresenceUpdate, d }, Intent.GuildPresences);
      }
      emit({ type: 'members' });
    },
    visitor(userId) {
      const resident = guild.residents.get(userId);
      if (resident === undefined) throw new Error(`nobody here has the id ${userId}`);
      const needs = { guild, messages, interactions, commands, now, nextId };
      return createVisitor({ ...needs, send: sendInteraction }, resident);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ready() {
      return new Promise((resolve, reject) => {
        waitingForBot.add({ resolve, reject });
        // A bot that has just been killed is connected until its closed socket has been noticed.
        setImmediate(checkReady);
      });
    },
    async close() {
      for (const { reject } of waitingForBot) reject(new Error('the chat server was closed'));
      for (const timer of late) clearTimeout(timer);
      interactions.giveUp();
      const closed = once(server, 'close');
      await gateway.close();
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };

  function sendInteraction(d: APIInteraction): void {
    const deliver = () => gateway.send({ t: GatewayDispatchEvents.InteractionCreate, d }, 0);
    if (!faults.strikes('late-interactions')) {
      deliver();
      return;
    }
    const timer = setTimeout(() => {
      late.delete(timer);
      deliver();
    }, LATE);
    late.add(timer);
  }
}

/** In the form of a real one, and new for every server, so that finding it anywhere means something. */
function inventToken(botId: string): string {
  const part = (length: number) => randomBytes(length).toString('base64url').slice(0, length);
  return `${Buffer.from(botId).toString('base64url')}.${part(6)}.${part(38)}`;
}
