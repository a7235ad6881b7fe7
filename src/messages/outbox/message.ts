/** One message, and what Discord says to it. */

/** Refusals that last until somebody changes something: closed direct messages, no such channel, no right to write there. */
export type LastingRefusal = 'closed' | 'gone' | 'rights';

/**
 * The outcome of one attempt. `unsent`: certainly not sent, and another attempt may succeed. `refused`: the same, but Discord
 * does not take this content or open this conversation, so that other attempts are rare. `perhaps-sent`: nobody knows, so that
 * there is no other attempt. A {@link LastingRefusal}: certainly not sent, and no other attempt will succeed until somebody
 * changes something.
 */
export type SendOutcome = 'sent' | 'perhaps-sent' | 'unsent' | 'refused' | LastingRefusal;

export type Recipient =
  | { readonly kind: 'direct'; readonly personId: string }
  | { readonly kind: 'channel'; readonly channelId: string };

/** Kinds of messages by how soon they have to arrive: opening a conversation takes its turn by that. */
export const urgencies = ['reminder', 'alert', 'notice'] as const;
export type Urgency = (typeof urgencies)[number];

export interface MessageContent {
  readonly content: string;
  readonly embeds?: readonly object[];
  readonly components: readonly object[];
  /** A PNG below the text, which is sent without it if Discord refuses the file. */
  readonly picture?: { readonly name: string; readonly png: Uint8Array; readonly alt: string };
  /** The only roles that the message may ping. */
  readonly roles: readonly string[];
}

/** Composes the message for one of its recipients. `ids`: those of its subjects that the ledger has admitted. */
export type Compose = (
  ids: readonly string[],
  to: Recipient,
) => Pick<MessageContent, 'content'> & Partial<MessageContent>;

/** Discord merges two messages with the same nonce that are sent shortly after each other. */
export interface OutgoingMessage extends MessageContent {
  readonly nonce: string;
}

/** An open conversation, or a channel. */
export interface Conversation {
  /** Never rejects. */
  post(message: OutgoingMessage): Promise<SendOutcome>;
}

/** Opens what a message can be posted in; sends nothing to anybody. Never rejects. */
export type OpenConversation = (
  to: Recipient,
  urgency: Urgency,
) => Promise<Conversation | 'unsent' | 'refused' | LastingRefusal>;
