/** What boards need from Discord. Whatever happens there comes back as a value of a closed set; nothing rejects. */
import type { Card } from '../cards/kit/card.ts';

/** The rights without which a board cannot be kept, by Discord's own names. */
export const RIGHTS = ['ViewChannel', 'SendMessages', 'EmbedLinks', 'ReadMessageHistory'] as const;
export type Right = (typeof RIGHTS)[number];

export interface Place {
  readonly channelId: string;
  readonly messageId: string;
}

/**
 * Why something was not done, or is not known to be done.
 * - `too-fast`: 429, or 30046 for a message older than an hour; `retryAfter` in milliseconds. Nothing was done.
 *   `counted`: Discord itself said so and counts it as an invalid request; else the client held it back unsent.
 * - `refused`: Discord will not take this request as it is, now or later.
 * - `lost`: no answer, or one that says that Discord is in trouble: nobody knows whether it happened.
 */
export type Refusal =
  | { readonly kind: 'unknown-message' }
  | { readonly kind: 'unknown-channel' }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'too-fast'; readonly retryAfter: number; readonly counted: boolean }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'lost'; readonly why: string };

export type Sent = { readonly kind: 'sent'; readonly messageId: string } | Refusal;
export type Done = { readonly kind: 'ok' } | Refusal;
/** Oldest first. */
export type Found = { readonly kind: 'found'; readonly messageIds: readonly string[] } | Refusal;

/**
 * What we may do in a channel, as far as the live connection knows; costs no request.
 * - `unknown-channel`: there is none, or we are not in its guild.
 * - `unavailable`: Discord says that it cannot serve that guild now.
 */
export type Access =
  | { readonly kind: 'open' }
  | { readonly kind: 'missing'; readonly rights: readonly Right[] }
  | { readonly kind: 'unknown-channel' }
  | { readonly kind: 'unavailable' };

/** The content of a board's message, whole; mentions are switched off wherever it is sent. */
export interface BoardMessage {
  readonly embeds: Card['embeds'];
  readonly components: Card['components'];
}

export interface BoardChat {
  access(guildId: string, channelId: string): Access;
  /** Calls back when what `access` says of that guild may have changed. */
  onAccess(listener: (guildId: string) => void): () => void;
  /** Two sends with one nonce within some minutes make one message. */
  send(channelId: string, message: BoardMessage, nonce: string): Promise<Sent>;
  edit(place: Place, message: BoardMessage): Promise<Done>;
  remove(place: Place): Promise<Done>;
  /** Whether the message is there. */
  checkMessage(place: Place): Promise<Done>;
  /** Our own messages that carry the marker, looked for from now back to `since` (unix milliseconds). */
  find(channelId: string, marker: string, since: number): Promise<Found>;
  /** A direct message to one person. */
  notify(personId: string, text: string, nonce: string): Promise<Done>;
}
