import type { RESTOptions } from '@discordjs/rest';
import { isUnsent, Unconfirmed } from './resend.ts';

type MakeRequest = RESTOptions['makeRequest'];

/** Requests over an interaction's token, in any version of the API and behind any proxy. */
const OF_INTERACTION = /\/(?:interactions|webhooks)\/\d+\//;

/**
 * A POST over an interaction's token is sent once. The REST client repeats what was answered with a 5xx, too late or
 * not at all, and a message that Discord has taken then appears twice: only messages in a channel can have a nonce. Such
 * a POST rejects with {@link Unconfirmed}, which the client does not repeat. Anything else is as it was.
 */
export function unrepeated(makeRequest: MakeRequest): MakeRequest {
  return async (url, init) => {
    if (init.method !== 'POST' || !OF_INTERACTION.test(url)) return makeRequest(url, init);
    const response = await makeRequest(url, init).catch((error: unknown) => {
      throw isUnsent(error) ? error : new Unconfirmed(null, error);
    });
    if (response.status >= 500) throw new Unconfirmed(response.status);
    return response;
  };
}
