/** Discord as boards need it. Every outcome is a value of a closed set; nothing rejects. */

import type { Access } from '../../cards/board/board.ts';
import type { Card } from '../../cards/kit/card.ts';

interface MessageRef {
  readonly channelId: string;
  readonly messageId: string;
}

/**
 * The reason why a request failed, or may have failed.
 * - `too-fast`: 429, 401, or 30046 for a message older than an hour; `retryAfter` in ms. Nothing was done. `counted`:
 *   Discord sent it and counts it as an invalid request; otherwise the client held the request back.
 * - `two-factor`: the guild requires it of everyone who changes a channel, and the bot's owner has not turned it on.
 * - `blocked`: AutoMod or a filter of the guild refused the content; `why` is Discord's code.
 * - `refused`: Discord will not accept this request as it is, now or later.
 * - `lost`: no answer, or a Discord outage: the request may have taken effect.
 */
export type RequestFailure =
  | { readonly kind: 'unknown-message' }
  | { readonly kind: 'unknown-channel' }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'two-factor' }
  | { readonly kind: 'too-fast'; readonly retryAfter: number; readonly counted: boolean }
  | { readonly kind: 'blocked'; readonly why: string }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'lost'; readonly why: string };

export type SendResult = { readonly kind: 'sent'; readonly messageId: string } | RequestFailure;
export type RequestResult = { readonly kind: 'ok' } | RequestFailure;
/** Ids of messages, oldest first. */
export type SearchResult =
  | { readonly kind: 'found'; readonly messageIds: readonly string[] }
  | RequestFailure;

/** True for a channel that exists and that we cannot view: there we cannot delete even our own messages. */
export function isOutOfSight(access: Access): boolean {
  return access.kind === 'missing' && access.rights.includes('ViewChannel');
}

/** The full content of a board's message; mentions are disabled wherever it is sent. */
export interface BoardMessage {
  readonly embeds: Card['embeds'];
  readonly components: Card['components'];
}

export interface BoardChannels {
  access(guildId: string, channelId: string): Access;
  /** Ids of the guild's channels in which we may write. */
  writable(guildId: string): readonly string[];
  /** We are in the guild, and the clock is right, so that a channel that is gone for long is gone for good. */
  mayForget(guildId: string): Promise<boolean>;
  /** Calls back when any of these may have changed for that guild. */
  onAccess(listener: (guildId: string) => void, onFailure?: (error: unknown) => void): () => void;
  /** Number of requests that Discord may be counting towards its fifty a second, including those of other modules. */
  requestsNow(): number;
  /** Two sends with the same nonce within a few minutes make one message. */
  send(channelId: string, message: BoardMessage, nonce: string): Promise<SendResult>;
  edit(place: MessageRef, message: BoardMessage): Promise<RequestResult>;
  remove(place: MessageRef): Promise<RequestResult>;
  checkMessage(place: MessageRef): Promise<RequestResult>;
  /** Our own messages with the marker: among the newest hundred, and from now back to `since` (unix ms). */
  find(channelId: string, marker: string, since: number): Promise<SearchResult>;
  /** Computes the new topic from the current one, which it reads first: the gateway may not have reported the latest. */
  changeTopic(channelId: string, write: (topic: string | null) => string | null): Promise<RequestResult>;
  /** Sends a direct message. */
  notify(personId: string, text: string, nonce: string): Promise<RequestResult>;
}
