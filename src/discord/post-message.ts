/** Messages over REST, in whatever way the requests are made. */
import { Routes } from 'discord.js';
import { z } from 'zod';

/** No text, whoever wrote it, pings anybody. */
export const noMentions = { allowed_mentions: { parse: [] } };

export interface Answered {
  readonly kind: 'answered';
  readonly body: unknown;
}

/** Makes one request, and tells in its own way what failed. */
type Post<Failure> = (route: `/${string}`, body: object) => Promise<Answered | Failure>;

/** `nonce`: Discord makes one message of two that come soon after each other with the same. */
export function postMessage<Failure>(
  post: Post<Failure>,
  channelId: string,
  message: object,
  nonce: string,
): Promise<Answered | Failure> {
  return post(Routes.channelMessages(channelId), { ...message, ...noMentions, nonce, enforce_nonce: true });
}

const Conversation = z.object({ id: z.string() });

/** To one person alone. */
export async function postDirectly<Failure extends { readonly kind: string }>(
  post: Post<Failure>,
  personId: string,
  message: object,
  nonce: string,
): Promise<Answered | Failure | { readonly kind: 'lost'; readonly why: string }> {
  const opened = await post(Routes.userChannels(), { recipient_id: personId });
  if (!isAnswered(opened)) return opened;
  const conversation = Conversation.safeParse(opened.body);
  if (!conversation.success) return { kind: 'lost', why: 'an unreadable answer' };
  return postMessage(post, conversation.data.id, message, nonce);
}

function isAnswered<Failure extends { readonly kind: string }>(
  posted: Answered | Failure,
): posted is Answered {
  return posted.kind === 'answered';
}
