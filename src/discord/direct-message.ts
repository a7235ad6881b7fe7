import { DiscordAPIError, type REST } from 'discord.js';
import type { Log } from '../log.ts';
import { type Answered, postDirectly, postMessage } from './post-message.ts';

/** What a person is told without having asked just now. */
export interface Notice {
  readonly personId: string;
  /** Where to name them if they take no direct messages; null where nobody else may read it. */
  readonly channelId: string | null;
  readonly content: string;
  /** The same for the same notice: Discord makes one message of two that come soon after each other in one channel. */
  readonly nonce: string;
}

/**
 * Tells one person something, once. Discord has no message in a channel that one person alone sees unless that person
 * has just asked (an interaction's token lives for 15 minutes), so it is a direct message; whoever takes none from the
 * bot is named in the channel where they asked, without a ping.
 *
 * `refused`: Discord takes it in neither place. `lost`: Discord is in trouble.
 */
export function createNotifier(rest: Pick<REST, 'post'>, log: Log) {
  async function post(
    route: `/${string}`,
    body: object,
  ): Promise<Answered | { readonly kind: 'refused' | 'lost' }> {
    try {
      return { kind: 'answered', body: await rest.post(route, { body }) };
    } catch (error) {
      log.warn({ err: error }, 'Discord did not take a direct message');
      // Only what Discord says of the message itself will be said again; all else may pass.
      const isLasting = error instanceof DiscordAPIError && error.status < 500 && error.status !== 429;
      return { kind: isLasting ? 'refused' : 'lost' };
    }
  }

  return async (notice: Notice): Promise<'sent' | 'refused' | 'lost'> => {
    const { channelId, personId, content, nonce } = notice;
    const direct = await postDirectly(post, personId, { content }, nonce);
    const told =
      direct.kind === 'refused' && channelId !== null
        ? await postMessage(post, channelId, { content: `<@${personId}> ${content}` }, nonce)
        : direct;
    return told.kind === 'answered' ? 'sent' : told.kind;
  };
}
