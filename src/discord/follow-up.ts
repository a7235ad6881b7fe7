import { type InteractionReplyOptions, MessageFlags, type RepliableInteraction } from 'discord.js';
import type { Log } from '../log.ts';
import { resend, Unconfirmed } from './resend.ts';

/**
 * Sends one more message after the first response, at most once. Where Discord does not say whether it has taken it,
 * the person is told so, also at most once, and this rejects.
 */
export async function followUp(
  interaction: Pick<RepliableInteraction, 'followUp'>,
  message: InteractionReplyOptions,
  { doubt, log }: { readonly doubt: string; readonly log: Log },
): Promise<void> {
  try {
    // What breaks before anything was sent is no doubt, and is sent again.
    await resend(() => interaction.followUp(message));
  } catch (error) {
    if (error instanceof Unconfirmed)
      await interaction
        .followUp({ content: doubt, flags: MessageFlags.Ephemeral })
        .catch((again: unknown) => log.warn({ err: again }, 'nor could the person be told'));
    throw error;
  }
}
