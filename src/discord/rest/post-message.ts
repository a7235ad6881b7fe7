/** Messages over REST, through a request function whose failures are its caller's. */
import { Routes } from 'discord.js';
import { z } from 'zod';
import type { Rest } from './rest-client.ts';

/** No text can ping anyone. */
export const noMentions = { allowed_mentions: { parse: [] } };

export interface PostResult {
  readonly kind: 'answered';
  readonly body: unknown;
}

/** Makes one request, with its own form of failure. */
type Post<Failure> = (route: `/${string}`, body: object) => Promise<PostResult | Failure>;

/** With a REST client. `failed` says what an error comes to. */
export function postOver<Kind extends string>(
  rest: Pick<Rest, 'post'>,
  failed: (error: unknown) => Kind,
): Post<{ readonly kind: Kind }> {
  return async (route, body) => {
    try {
      return { kind: 'answered', body: await rest.post(route, { body }) };
    } catch (error) {
      return { kind: failed(error) };
    }
  };
}

/**
 * `nonce`: Discord merges two messages with the same nonce sent shortly after each other. `roles`: the only ones that
 * its text may ping.
 */
export function postMessage<Failure>(
  post: Post<Failure>,
  channelId: string,
  message: object,
  nonce: string,
  roles: readonly string[] = [],
): Promise<PostResult | Failure> {
  const mentions = roles.length === 0 ? noMentions : { allowed_mentions: { parse: [], roles } };
  return post(Routes.channelMessages(channelId), { ...message, ...mentions, nonce, enforce_nonce: true });
}

const Conversation = z.object({ id: z.string() });

/** Sends a direct message. */
export async function postDirectly<Failure extends { readonly kind: string }>(
  post: Post<Failure>,
  personId: string,
  message: object,
  nonce: string,
): Promise<PostResult | Failure | { readonly kind: 'lost'; readonly why: string }> {
  const opened = await post(Routes.userChannels(), { recipient_id: personId });
  if (!('body' in opened)) return opened;
  const conversation = Conversation.safeParse(opened.body);
  if (!conversation.success) return { kind: 'lost', why: 'an unreadable answer' };
  return postMessage(post, conversation.data.id, message, nonce);
}
