import { DiscordAPIError, HTTPError, RateLimitError, RESTEvents, RESTJSONErrorCodes } from 'discord.js';
import { abortAfter } from '../../base/clock.ts';
import { MINUTE, SECOND } from '../../base/duration.ts';
import type { RequestFailure } from '../../messages/boards/channels.ts';
import { createMakeRequest } from './make-request.ts';
import type { RequestCount } from './request-count.ts';
import { failureName, isBlockedContent, isBusy } from './resend.ts';
import { createRestClient } from './rest-client.ts';

/** The wait in ms where Discord does not say when an old message may be edited again. */
const OLD_MESSAGE_WAIT_MS = 6000;
/** And where it refuses a request for the moment. */
const BUSY_WAIT_MS = 15 * SECOND;
/** And after a refusal that is not Discord's own, but of what stands in front of it. */
const BLOCKED_WAIT_MS = MINUTE;
/** And after a 401. Discord sends some during outages of its own; a token that is really gone shows at the login. */
const UNAUTHORISED_WAIT_MS = 15 * SECOND;

export interface RestAnswer {
  readonly kind: 'answered';
  readonly body: unknown;
}

/**
 * Requests without retries, whose outcome is a value. A REST client of its own: the bot's repeats failed requests and may
 * send an outdated edit after a wait. `timeoutMs`: longest wait for a response; after that the outcome is unknown.
 */
export function createRestOnce({
  token,
  apiUrl,
  timeoutMs,
  requests,
}: {
  readonly token: string;
  readonly apiUrl: string | null;
  readonly timeoutMs: number;
  readonly requests: RequestCount;
}) {
  const rest = createRestClient({
    token,
    apiUrl,
    makeRequest: createMakeRequest(apiUrl),
    retries: 0,
    timeout: timeoutMs,
    rejectOnRateLimit: () => true,
  });
  /** Requests that Discord answered with a 429; the client holds back other early ones itself. */
  const answered429 = new Set<string>();
  rest.on(RESTEvents.Response, ({ method, path }, { status }) => {
    if (status === 429) answered429.add(`${method.toUpperCase()} ${path}`);
  });

  return async (
    method: 'get' | 'post' | 'put' | 'patch' | 'delete',
    route: `/${string}`,
    more: { readonly body?: unknown; readonly query?: URLSearchParams } = {},
  ): Promise<RestAnswer | RequestFailure> => {
    const key = `${method.toUpperCase()} ${route}`;
    answered429.delete(key);
    try {
      const body = await abortAfter(timeoutMs, (signal) =>
        requests.during(() => rest[method](route, { ...more, signal }), { refusalOf: statusOf }),
      );
      return { kind: 'answered', body };
    } catch (error) {
      if (error instanceof RateLimitError) {
        const retryAfter = Math.max(0, error.retryAfter);
        return { kind: 'too-fast', retryAfter, counted: answered429.delete(key) };
      }
      if (!(error instanceof DiscordAPIError)) return { kind: 'lost', why: failureName(error) };
      return refusalOf(error);
    }
  };
}

/** HTTP status of an error that is an answer; null for any other. */
function statusOf(error: unknown): number | null {
  if (error instanceof DiscordAPIError || error instanceof HTTPError) return error.status;
  return error instanceof RateLimitError ? 429 : null;
}

function refusalOf(error: DiscordAPIError): RequestFailure {
  const { status, code } = error;
  if (status === 401) return { kind: 'too-fast', retryAfter: UNAUTHORISED_WAIT_MS, counted: true };
  // Every refusal of Discord has a number. A page without one says nothing about rights or messages.
  if (typeof code !== 'number') {
    return status === 403
      ? { kind: 'too-fast', retryAfter: BLOCKED_WAIT_MS, counted: true }
      : { kind: 'lost', why: `status ${status} without a code` };
  }
  if (isBlockedContent(error)) return { kind: 'blocked', why: `${status}, code ${code}` };
  if (isBusy(error)) return { kind: 'too-fast', retryAfter: BUSY_WAIT_MS, counted: status === 429 };
  switch (code) {
    case RESTJSONErrorCodes.UnknownMessage:
      return { kind: 'unknown-message' };
    case RESTJSONErrorCodes.UnknownChannel:
    case RESTJSONErrorCodes.UnknownGuild:
      return { kind: 'unknown-channel' };
    case RESTJSONErrorCodes.TwoFactorAuthenticationIsRequired:
      return { kind: 'two-factor' };
    case RESTJSONErrorCodes.MaximumNumberOfEditsToMessagesOlderThanOneHourReached:
      return { kind: 'too-fast', retryAfter: OLD_MESSAGE_WAIT_MS, counted: status === 429 };
    default:
      if (status === 403) return { kind: 'forbidden' };
      return { kind: 'refused', why: `${status}, code ${code}` };
  }
}
