import { DiscordAPIError } from '@discordjs/rest';
import { RESTJSONErrorCodes } from 'discord-api-types/v10';
import type { Outgoing, Sent } from '../alerts/deliver.ts';
import type { Log } from '../base/log.ts';
import { type Answered, postDirectly, postMessage } from './post-message.ts';
import type { Rest } from './rest-client.ts';

type Failed = { readonly kind: Exclude<Sent, 'sent'> };

/** Discord's verdicts that stay the same until somebody changes something. */
const lasting: ReadonlyMap<number | string, Exclude<Sent, 'sent'>> = new Map([
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
  async function post(route: `/${string}`, body: object): Promise<Answered | Failed> {
    try {
      return { kind: 'answered', body: await rest.post(route, { body }) };
    } catch (error) {
      log.warn({ err: error }, 'Discord did not accept an alert');
      return { kind: (error instanceof DiscordAPIError && lasting.get(error.code)) || 'lost' };
    }
  }

  return async ({ to, content, components, roles, nonce }: Outgoing): Promise<Sent> => {
    const message = { content, components };
    const answer =
      to.kind === 'direct'
        ? await postDirectly<Failed>(post, to.personId, message, nonce)
        : await postMessage<Failed>(post, to.channelId, message, nonce, roles);
    if (answer.kind === 'answered') return 'sent';
    // To a person there is no other place to be refused.
    return to.kind === 'direct' && (answer.kind === 'rights' || answer.kind === 'gone')
      ? 'closed'
      : answer.kind;
  };
}
