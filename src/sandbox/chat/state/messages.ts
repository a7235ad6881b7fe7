/** All messages, private replies included. */
import {
  type APIAttachment,
  type APIEmbed,
  type APIMessage,
  type APIMessageTopLevelComponent,
  type APIUser,
  MessageFlags,
  MessageType,
} from 'discord.js';

/** A message's contents; fields omitted in an edit stay unchanged. */
export interface Body {
  readonly content?: string;
  readonly embeds?: APIEmbed[];
  readonly components?: APIMessageTopLevelComponent[];
  readonly attachments?: APIAttachment[];
  readonly flags?: number;
}

/** Whom a message pings. */
export interface Pings {
  readonly mentions: APIUser[];
  readonly mention_roles: string[];
  readonly mention_everyone: boolean;
}

export interface Draft extends Body {
  readonly channelId: string;
  readonly author: APIUser;
  /** Null: visible to everyone in the channel. */
  readonly readerId: string | null;
  readonly pings: Pings;
  readonly more?: Partial<
    Pick<
      APIMessage,
      | 'type'
      | 'nonce'
      | 'webhook_id'
      | 'application_id'
      | 'interaction'
      | 'interaction_metadata'
      | 'message_reference'
    >
  >;
}

export interface MessageChange {
  readonly change: 'create' | 'update' | 'delete';
  readonly message: APIMessage;
  readonly readerId: string | null;
}

interface Stored {
  readonly message: APIMessage;
  readonly readerId: string | null;
}

export interface Messages {
  create(draft: Draft): APIMessage;
  /** The edited message. An edit removes the "thinking" flag. */
  edit(message: APIMessage, body: Body, pings: Pings | null): APIMessage;
  remove(message: APIMessage): void;
  /** Undefined if there is none in that channel. */
  get(channelId: string, messageId: string): APIMessage | undefined;
  find(messageId: string): APIMessage | undefined;
  readerOf(messageId: string): string | null;
  /** Oldest first: public messages, and those only `readerId` sees. */
  list(channelId: string, readerId: string | null): readonly APIMessage[];
  forgetChannel(channelId: string): void;
}

export function createMessages(
  now: () => number,
  nextId: () => string,
  changed: (change: MessageChange) => void,
): Messages {
  const stored = new Map<string, Stored>();

  function timestamp(): string {
    return new Date(now()).toISOString().replace('Z', '000+00:00');
  }

  return {
    create(draft) {
      const message = newMessage(draft, nextId(), timestamp());
      const { readerId } = draft;
      stored.set(message.id, { message, readerId });
      changed({ change: 'create', message, readerId });
      return message;
    },
    edit(message, body, pings) {
      const readerId = stored.get(message.id)?.readerId ?? null;
      const edited = editedMessage(message, body, pings, timestamp());
      stored.set(message.id, { message: edited, readerId });
      changed({ change: 'update', message: edited, readerId });
      return edited;
    },
    remove(message) {
      const there = stored.get(message.id);
      if (there === undefined) return;
      stored.delete(message.id);
      changed({ change: 'delete', ...there });
    },
    get(channelId, messageId) {
      const message = stored.get(messageId)?.message;
      return message?.channel_id === channelId ? message : undefined;
    },
    find: (messageId) => stored.get(messageId)?.message,
    readerOf: (messageId) => stored.get(messageId)?.readerId ?? null,
    list(channelId, readerId) {
      return [...stored.values()]
        .filter((one) => one.message.channel_id === channelId)
        .filter((one) => one.readerId === null || one.readerId === readerId)
        .map(({ message }) => message);
    },
    forgetChannel(channelId) {
      for (const { message } of [...stored.values()])
        if (message.channel_id === channelId) stored.delete(message.id);
    },
  };
}

function newMessage(
  { channelId, author, readerId: _readerId, pings, more, ...body }: Draft,
  id: string,
  timestamp: string,
): APIMessage {
  return {
    id,
    channel_id: channelId,
    author,
    timestamp,
    content: body.content ?? '',
    edited_timestamp: null,
    tts: false,
    pinned: false,
    type: MessageType.Default,
    attachments: body.attachments ?? [],
    embeds: body.embeds ?? [],
    components: body.components ?? [],
    flags: body.flags ?? 0,
    ...pings,
    ...more,
  };
}

function editedMessage(
  message: APIMessage,
  { flags = message.flags ?? 0, ...body }: Body,
  pings: Pings | null,
  timestamp: string,
): APIMessage {
  const wasLoading = ((message.flags ?? 0) & MessageFlags.Loading) !== 0;
  return {
    ...message,
    ...body,
    ...pings,
    flags: flags & ~MessageFlags.Loading,
    // Filling a "thinking" reply is its first content, not a visible edit.
    edited_timestamp: wasLoading ? null : timestamp,
  };
}
