import { DiscordAPIError, type REST, Routes } from 'discord.js';
import { z } from 'zod';
import type { Log } from '../log.ts';

/** What a person is told without having asked just now. */
export interface Notice {
  readonly personId: string;
  /** Where to name them if they take no direct messages; null where nobody else may read it. */
  readonly channelId: string | null;
  readonly content: string;
  /** The same for the same notice: Discord makes one message of two that come soon after each other in one channel. */
  readonly nonce: string;
}

const Conversation = z.object({ id: z.string() });

/**
 * Tells one person something, once. Discord has no message in a channel that one person alone sees unless that person
 * has just asked (an interaction's token lives for 15 minutes), so it is a direct message; whoever takes none from the
 * bot is named in the channel where they asked, without a ping.
 *
 * `refused`: Discord takes it in neither place. `lost`: Discord is in trouble.
 */
export function createNotifier(rest: Pick<REST, 'post'>, log: Log) {
  const send = (channelId: string, content: string, nonce: string) =>
    rest.post(Routes.channelMessages(channelId), {
      body: { content, nonce, enforce_nonce: true, allowed_mentions: { parse: [] } },
    });

  async function directly({ personId, content, nonce }: Notice): Promise<void> {
    const opened = await rest.post(Routes.userChannels(), { body: { recipient_id: personId } });
    await send(Conversation.parse(opened).id, content, nonce);
  }

  return async (notice: Notice): Promise<'sent' | 'refused' | 'lost'> => {
    const { channelId, personId, content, nonce } = notice;
    const inChannel = channelId === null ? [] : [() => send(channelId, `<@${personId}> ${content}`, nonce)];
    for (const attempt of [() => directly(notice), ...inChannel]) {
      try {
        await attempt();
        return 'sent';
      } catch (error) {
        log.warn({ err: error }, 'Discord did not take a direct message');
        // Only what Discord says of the message itself will be said again; all else may pass.
        if (!(error instanceof DiscordAPIError) || error.status >= 500 || error.status === 429) return 'lost';
      }
    }
    return 'refused';
  };
}
