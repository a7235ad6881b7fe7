/** The body of a message over REST, and its POST through a request function whose failures are its caller's. */
import { Routes } from 'discord.js';

/** No text can ping anyone. */
export const noMentions = { allowed_mentions: { parse: [] } };

export interface PostResult {
  readonly kind: 'answered';
  readonly body: unknown;
}

/** Makes one request, with its own form of failure. */
type Post<Failure> = (route: `/${string}`, body: object) => Promise<PostResult | Failure>;

/**
 * `nonce`: Discord merges two messages with the same nonce sent shortly after each other. `roles`: the only ones that
 * its text may ping.
 */
export function messageBody(message: { readonly nonce: string; readonly roles: readonly string[] }): object {
  const { roles, ...content } = message;
  const mentions = roles.length === 0 ? noMentions : { allowed_mentions: { parse: [], roles } };
  return { ...content, ...mentions, enforce_nonce: true };
}

export function postMessage<Failure>(
  post: Post<Failure>,
  channelId: string,
  message: object,
  nonce: string,
): Promise<PostResult | Failure> {
  return post(Routes.channelMessages(channelId), messageBody({ ...message, nonce, roles: [] }));
}
