import { DiscordAPIError } from '@discordjs/rest';
import type { Log } from '../base/log.ts';
import { type Answered, postDirectly, postMessage } from './post-message.ts';
import type { Rest } from './rest-client.ts';

/** A message to a person who is not waiting for a reply. */
export interface Notice {
  readonly personId: string;
  /** The channel in which to mention them if they accept no direct messages; null if it would be visible to others. */
  readonly channelId: string | null;
  readonly content: string;
  /**
   * Identical for one notice: Discord merges two messages with the same nonce sent shortly after each other in a
   * channel.
   */
  readonly nonce: string;
}

/**
 * Only Discord's verdict on the message itself is final. Other failures may pass, and so may a refusal without a number,
 * as from what stands in front of Discord, and one of our token.
 */
function isLasting(error: unknown): boolean {
  if (!(error instanceof DiscordAPIError) || typeof error.code !== 'number') return false;
  return error.status < 500 && error.status !== 429 && error.status !== 401;
}

/**
 * Sends one person a message, once. Discord shows a channel message to a single person only in reply to a recent
 * interaction (its token lives for 15 minutes), so this is a direct message. A person who accepts none is
 * mentioned, without a ping, in the channel where they asked.
 *
 * `refused`: Discord accepts it in neither place. `lost`: Discord has a problem.
 */
export function createNotifier(rest: Pick<Rest, 'post'>, log: Log) {
  async function post(
    route: `/${string}`,
    body: object,
  ): Promise<Answered | { readonly kind: 'refused' | 'lost' }> {
    try {
      return { kind: 'answered', body: await rest.post(route, { body }) };
    } catch (error) {
      log.warn({ err: error }, 'Discord did not accept a direct message');
      return { kind: isLasting(error) ? 'refused' : 'lost' };
    }
  }

  return async (notice: Notice): Promise<'sent' | 'refused' | 'lost'> => {
    const { channelId, personId, content, nonce } = notice;
    const direct = await postDirectly(post, personId, { content }, nonce);
    const answer =
      direct.kind === 'refused' && channelId !== null
        ? await postMessage(post, channelId, { content: `<@${personId}> ${content}` }, nonce)
        : direct;
    return answer.kind === 'answered' ? 'sent' : answer.kind;
  };
}
