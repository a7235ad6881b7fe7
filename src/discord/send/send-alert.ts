import { DiscordAPIError, RESTJSONErrorCodes } from 'discord.js';
import type { OutgoingAlert } from '../../alerts/deliver.ts';
import type { Log } from '../../base/log.ts';
import type { PauseReason } from '../../service/models/watch.ts';
import { postDirectly, postMessage, postOver } from '../rest/post-message.ts';
import type { Rest } from '../rest/rest-client.ts';

/** Discord's verdicts that stay the same until somebody changes something. */
const lasting: ReadonlyMap<number | string, PauseReason> = new Map([
  [RESTJSONErrorCodes.CannotSendMessagesToThisUser, 'closed'],
  [RESTJSONErrorCodes.UnknownUser, 'closed'],
  // No mutual guilds.
  [50278, 'closed'],
  [RESTJSONErrorCodes.UnknownChannel, 'gone'],
  [RESTJSONErrorCodes.UnknownGuild, 'gone'],
  [RESTJSONErrorCodes.MissingAccess, 'rights'],
  [RESTJSONErrorCodes.MissingPermissions, 'rights'],
]);

/** Sends alerts to people and channels. They may ping the roles chosen for them and nothing else. Never rejects. */
export function createAlertSender(rest: Pick<Rest, 'post'>, log: Log) {
  const post = postOver(rest, (error) => {
    log.warn({ err: error }, 'Discord did not accept an alert');
    return (error instanceof DiscordAPIError && lasting.get(error.code)) || 'lost';
  });

  return async ({ to, content, components, roles, nonce }: OutgoingAlert) => {
    const message = { content, components };
    const { kind } =
      to.kind === 'direct'
        ? await postDirectly(post, to.personId, message, nonce)
        : await postMessage(post, to.channelId, message, nonce, roles);
    if (kind === 'answered') return 'sent';
    // To a person there is no other place to be refused.
    return to.kind === 'direct' && (kind === 'rights' || kind === 'gone') ? 'closed' : kind;
  };
}
