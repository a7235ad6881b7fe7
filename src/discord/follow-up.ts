import { MessageFlags } from 'discord-api-types/v10';
import type { Log } from '../base/log.ts';
import type { Interaction, Message } from './interaction.ts';
import { isOutage, isUnsent, Unconfirmed } from './resend.ts';

/**
 * Sends one more message after the first response, at most once. Where nobody knows whether Discord has taken it, the
 * person is told so, also at most once, and this rejects with {@link Unconfirmed}.
 */
export async function followUp(
  interaction: Pick<Interaction, 'followUp'>,
  message: Message,
  { doubt, log }: { readonly doubt: string; readonly log: Log },
): Promise<void> {
  const send = () => interaction.followUp(message);
  try {
    await send().catch((error: unknown) => (isUnsent(error) ? send() : Promise.reject(error)));
  } catch (error) {
    // Discord has refused it, or it could not be sent twice.
    if (!isOutage(error) || isUnsent(error)) throw error;
    await interaction
      .followUp({ body: { content: doubt, flags: MessageFlags.Ephemeral }, files: [] })
      .catch((again: unknown) => log.warn({ err: again }, 'the person could not be notified either'));
    // Also an answer that breaks off after its headers.
    throw error instanceof Unconfirmed ? error : new Unconfirmed(null, error);
  }
}
