import { DiscordAPIError, type REST, Routes } from 'discord.js';
import { z } from 'zod';
import type { Log } from '../log.ts';

/** What is said to a person who does not sit in front of an answer. */
interface Notice {
  readonly personId: string;
  readonly channelId: string;
  readonly content: string;
  readonly nonce: string;
}

const Conversation = z.object({ id: z.string() });

/**
 * Tells one person something, once. Chat has no message in a channel that one person alone sees unless that person
 * has just asked (an interaction's token lives for 15 minutes), so that it is a direct message; whoever takes none
 * from the bot is named in the channel where they asked, without a ping.
 *
 * `refused`: chat takes it in neither place. `lost`: chat is in trouble.
 */
export function createTeller(rest: Pick<REST, 'post'>, log: Log) {
  const send = (channelId: string, content: string, nonce: string) =>
    rest.post(Routes.channelMessages(channelId), {
      body: { content, nonce, enforce_nonce: true, allowed_mentions: { parse: [] } },
    });

  async function directly({ personId, content, nonce }: Notice): Promise<void> {
    const opened = await rest.post(Routes.userChannels(), { body: { recipient_id: personId } });
    await send(Conversation.parse(opened).id, content, nonce);
  }

  return async (notice: Notice): Promise<'told' | 'refused' | 'lost'> => {
    const inChannel = () => send(notice.channelId, `<@${notice.personId}> ${notice.content}`, notice.nonce);
    for (const attempt of [() => directly(notice), inChannel]) {
      try {
        await attempt();
        return 'told';
      } catch (error) {
        log.warn({ err: error }, 'Discord did not take a direct message');
        // Only what chat says of the message itself will be said again; all else may pass.
        if (!(error instanceof DiscordAPIError) || error.status >= 500 || error.status === 429) return 'lost';
      }
    }
    return 'refused';
  };
}
