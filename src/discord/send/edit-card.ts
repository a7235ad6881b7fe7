import { Routes } from 'discord.js';
import type { Log } from '../../base/log.ts';
import type { Reply } from '../../command-kit/reply.ts';
import { noMentions } from '../rest/message-body.ts';
import { resendUntilConfirmed } from '../rest/resend.ts';
import type { Rest } from '../rest/rest-client.ts';

/**
 * Changes a reply later, from any process: Discord takes that for 15 minutes after the interaction. `card`: as in
 * `Person`. Never rejects: the reply may be gone.
 */
export function createCardEditor(rest: Pick<Rest, 'patch'>, log: Log) {
  return async (
    card: string,
    { content, components }: Required<Pick<Reply, 'content' | 'components'>>,
  ): Promise<void> => {
    const [applicationId = '', token = ''] = card.split('/');
    const body = { content, components, ...noMentions };
    try {
      await resendUntilConfirmed(() =>
        rest.patch(Routes.webhookMessage(applicationId, token), { body, auth: false }),
      );
    } catch (error) {
      log.info({ err: error }, 'a card could not be changed any more');
    }
  };
}
