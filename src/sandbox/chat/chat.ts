/**
 * The local chat server as tests, the demo and its page use it. The bot does not see this: it only gets REST and a
 * gateway.
 */
import type {
  APIChannel,
  APIExternalGuildScheduledEvent,
  APIGuildMember,
  APIMessage,
  APIRole,
  GatewayPresenceUpdate,
} from 'discord.js';
import type { Delivery } from './gateway/interaction-delivery.ts';
import type { Identified } from './gateway/login.ts';
import type { Session } from './gateway/sessions.ts';
import type { Joined } from './guild/guilds.ts';
import type { AnsweredRequest } from './rest/rest.ts';
import type { Faults } from './state/faults.ts';
import type { Visitor, VisitsAs } from './visitor/visitor.ts';

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
   * One complete payload from the bot; tests search these for secrets. The method of a gateway frame is its opcode:
   * only IDENTIFY and RESUME may contain the token.
   */
  | { readonly type: 'payload'; readonly method: string; readonly path: string; readonly body: unknown }
  /** One answered REST request, with both bodies but without files. */
  | {
      readonly type: 'answered';
      readonly request: AnsweredRequest;
      readonly sent: unknown;
      readonly body: unknown;
    };

/** Actions of a person with every permission, without the bot. */
export interface Moderator {
  deleteMessage(messageId: string): void;
  /** Deletes its messages too. */
  deleteChannel(channelId: string): void;
  /** Offers a command to everyone in the guild, whatever permission the bot requires. */
  openCommand(name: string): void;
  /** Discord allows a person as few changes as a bot; this one is not counted. */
  setTopic(channelId: string, topic: string | null): void;
  /** Replaces the channel's overwrite for that role or member; bits of PermissionFlagsBits. Both 0: removes it. */
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
  /** Id of the bot and its application; by default always the same. */
  readonly botId?: string;
  /** Unix milliseconds. Used for ages, limits and lifetimes; deadlines that people wait for use timers. */
  readonly now?: () => number;
  /** How many guilds the bot is in: the community and others of the same people. 1 by default. */
  readonly guilds?: number;
  /** The number of shards that `GET /gateway/bot` recommends; by default one for every thousand guilds. */
  readonly shards?: number;
  /** 1 by default, as for most bots. */
  readonly maxConcurrency?: number;
  /**
   * The time in ms in which shards with the same `shard_id % max_concurrency` may identify once; 5000 in Discord. 0 by
   * default, which counts but takes any: most tests start their bots faster.
   */
  readonly identifySpacing?: number;
  /** IDENTIFYs a day until the token is reset; 1000 by default. */
  readonly identifiesPerDay?: number;
}

/** A guild of the bot's. */
export interface GuildPlace {
  readonly id: string;
  readonly name: string;
  readonly channels: readonly APIChannel[];
}

export interface ChatServer {
  /** For DISCORD_API_URL: `http://127.0.0.1:<port>/api`. */
  readonly apiUrl: string;
  readonly token: string;
  readonly guildId: string;
  readonly guildName: string;
  /** Without everyone's. */
  readonly roles: readonly APIRole[];
  readonly channels: readonly APIChannel[];
  readonly members: readonly (APIGuildMember & { readonly status: string })[];
  visitor(userId: string, as?: VisitsAs): Visitor;
  /** The person's direct-message channel with the bot. */
  directChannel(userId: string): string;
  /** The guild's people; the first one is the page's visitor. */
  readonly people: readonly string[];
  readonly presence: GatewayPresenceUpdate | null;
  readonly faults: Faults['all'];
  setFault(name: string, on: boolean): void;
  subscribe(listener: (event: ChatEvent) => void): () => void;
  /** Resolves when a bot has identified and its commands are published. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

/** The running server: {@link ChatServer}, and what only tests and the demo use. */
export interface LocalChat extends ChatServer {
  readonly botId: string;
  /** Only the first one has Manage Server. */
  readonly people: readonly string[];
  readonly moderator: Moderator;
  /** Throws for an unknown name. With `times`, the fault ends after that many occurrences. */
  setFault(name: string, on: boolean, times?: number): void;
  /** The community's scheduled events; what deletes one is as if somebody did by hand. */
  readonly events: Map<string, APIExternalGuildScheduledEvent>;
  /** Answered REST requests, oldest first; the last ten thousand. */
  readonly requests: readonly AnsweredRequest[];
  /** IDENTIFYs with the right token, oldest first; the last ten thousand. */
  readonly identifies: readonly Identified[];
  /** Session that got each interaction, oldest first; the last ten thousand. */
  readonly deliveries: readonly Delivery[];
  /** The connected ones, each with its shard. */
  readonly sessions: readonly Session[];
  /** The community comes first. */
  readonly guilds: readonly GuildPlace[];
  /** The bot is invited to so many more. */
  addGuilds(count: number, joined?: Joined): void;
  /** The bot is removed from a guild. The returned function invites it again. */
  kick(guildId: string): () => void;
  /** From now on, in `GET /gateway/bot`. */
  recommendShards(count: number): void;
  /** An address of its own for one of several copies of the bot: requests and sessions tell it as their `copy`. */
  apiUrlOf(copy: string): string;
  /** Closes the bot's gateway connections with a code, for instance 4004 or 4014. */
  disconnect(code: number): void;
}
