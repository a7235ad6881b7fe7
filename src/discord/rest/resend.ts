/** Sends again where nobody knows whether Discord has taken a request. */
import { DiscordAPIError, HTTPError, RESTJSONErrorCodes } from 'discord.js';
import { codeOf } from '../../base/errors.ts';

/** Discord may have taken the request or not. */
export class Unconfirmed extends Error {
  override readonly name = 'Unconfirmed';
  /** HTTP status of Discord's answer; null: none came. */
  readonly status: number | null;

  constructor(status: number | null, cause?: unknown) {
    // Without the cause's message: it may contain a token, and the REST client reads it.
    super('Discord did not confirm this request', { cause });
    this.status = status;
  }
}

/** Retries once after a broken connection; only for idempotent requests. */
export async function resendUntilConfirmed(send: () => Promise<unknown>): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (!isBrokenConnection(error)) throw error;
    await send();
  }
}

/** Error codes that mean that no connection was made, so that nothing has left this machine. */
const UNSENT = [
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
];
/** Error codes of a name that was not resolved, and of a certificate that was not accepted. */
const UNSENT_GROUPS =
  /^(?:EAI_|CERT_|ERR_TLS_CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_|UNABLE_TO_)/;

/** Discord cannot have taken it. */
export function isUnsent(error: unknown): boolean {
  const code = codeOf(error);
  return UNSENT.includes(code) || UNSENT_GROUPS.test(code);
}

/** Discord is failing or unreachable. */
export function isOutage(error: unknown): boolean {
  return error instanceof HTTPError || error instanceof Unconfirmed || isBrokenConnection(error);
}

/** The failure without the error's message: that may contain an address. */
export function failureName(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if ('status' in error) return `status ${error.status}`;
  // DOMException, of a request that took too long, has a number without a meaning.
  return codeOf(error) || error.name;
}

/** No response, so nobody knows whether the request arrived. */
function isBrokenConnection(error: unknown): boolean {
  if (error instanceof DiscordAPIError || error instanceof HTTPError || !(error instanceof Error))
    return false;
  return error.name === 'AbortError' || /^(UND_ERR_|E[A-Z_]+$)/.test(codeOf(error));
}

/** Codes of content that AutoMod or the filter of harmful links refuses. */
const BLOCKED_CONTENT: readonly (number | string)[] = [
  RESTJSONErrorCodes.MessageWasBlockedByAutomaticModeration,
  RESTJSONErrorCodes.TitleWasBlockedByAutomaticModeration,
  RESTJSONErrorCodes.MessageBlockedByHarmfulLinksFilter,
];

/** Refusals that pass without anybody's doing. */
const BUSY: readonly (number | string)[] = [
  RESTJSONErrorCodes.ActionCannotBePerformedDueToSlowmodeRateLimit,
  RESTJSONErrorCodes.AnnouncementEditLimitExceeded,
  RESTJSONErrorCodes.OpeningDirectMessagesTooFast,
  RESTJSONErrorCodes.ChannelWriteRateLimit,
  RESTJSONErrorCodes.ServerWriteRateLimit,
  RESTJSONErrorCodes.MaximumNumberOfUncompletedGuildScheduledEventsReached,
  RESTJSONErrorCodes.ServiceResourceIsBeingRateLimited,
  RESTJSONErrorCodes.APIResourceOverloaded,
];

/** Discord refused the message for its content; without names it may be let through. */
export function isBlockedContent(error: unknown): boolean {
  return error instanceof DiscordAPIError && BLOCKED_CONTENT.includes(error.code);
}

/** Discord refused the request for the moment; nothing was done. */
export function isBusy(error: unknown): boolean {
  return error instanceof DiscordAPIError && BUSY.includes(error.code);
}

export function hasCode(error: unknown, code: RESTJSONErrorCodes): boolean {
  return error instanceof DiscordAPIError && error.code === code;
}
