/** The local chat server as tests, the demo and its page use it. The bot knows nothing of this: it gets REST and a gateway. */
import type {
  APIApplicationCommand,
  APIApplicationCommandOptionChoice,
  APIChannel,
  APIGuildMember,
  APIMessage,
  GatewayPresenceUpdate,
} from 'discord-api-types/v10';
import type { AnsweredRequest } from './rest.ts';

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
  /** The language that their client is set to (BCP 47). Commands may be called by their names in it. */
  readonly locale: string;
  /** Those that are offered in that channel; without one, in any. */
  commands(channelId?: string): readonly APIApplicationCommand[];
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
  /** Opens the menu on a person and picks the entry that a bot has put there. */
  invokeOn(channelId: string, entry: string, personId: string): Promise<Outcome>;
  /** Presses a button, or picks `values` in a menu. */
  press(messageId: string, customId: string, values?: readonly string[]): Promise<Outcome>;
}

/** Where the bot that somebody uses comes from: the guild has it, or only this person brings it along. */
export type Installed = 'guild' | 'user';

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
  | { readonly type: 'payload'; readonly method: string; readonly path: string; readonly body: unknown }
  /** One request as REST answered it, with what was sent and what came back; files are left out. */
  | {
      readonly type: 'answered';
      readonly request: AnsweredRequest;
      readonly sent: unknown;
      readonly body: unknown;
    };

/** What somebody with every right does to the guild, past the bot. */
export interface Moderator {
  deleteMessage(messageId: string): void;
  /** With all its messages. */
  deleteChannel(channelId: string): void;
  /** Offers a bot's command to everyone in the guild, whatever permission the bot has asked for. */
  openCommand(name: string): void;
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
  /** With `user` the same person, but in a guild that does not have the bot: they alone have installed it. */
  visitor(userId: string, installed?: Installed): Visitor;
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
