/** The local chat server as tests, the demo and its page use it. The bot knows nothing of this: it gets REST and a gateway. */
import type {
  APIApplicationCommand,
  APIApplicationCommandOptionChoice,
  APIChannel,
  APIGuildMember,
  APIMessage,
  GatewayPresenceUpdate,
} from 'discord-api-types/v10';

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
  | { readonly type: 'faults' }
  /** One payload that the bot sent, whole: what tests search for secrets. */
  | { readonly type: 'payload'; readonly method: string; readonly path: string; readonly body: unknown };

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
