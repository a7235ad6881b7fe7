/** What to do when nobody knows whether Discord has taken a request. */
import { DiscordAPIError, HTTPError } from '@discordjs/rest';
import { MessageFlags, RESTJSONErrorCodes } from 'discord-api-types/v10';
import type { Log } from '../../base/log.ts';
import type { Interaction, Message } from '../interaction.ts';

/** Discord may have taken the request or not. */
export class Unconfirmed extends Error {
  override readonly name = 'Unconfirmed';
  /** Of Discord's answer; null: none came. */
  readonly status: number | null;

  constructor(status: number | null, cause?: unknown) {
    // Without the cause's message: it may contain a token, and the REST client reads it.
    super('Discord did not confirm this request', { cause });
    this.status = status;
  }
}

/** As often as the REST client repeats what it may. */
const REPEATS = 3;

/**
 * Sends the first response to an interaction. Where nobody knows whether it arrived, it is sent again; Discord's
 * "already acknowledged" then means that it had.
 */
export async function acknowledge(send: () => Promise<unknown>): Promise<void> {
  for (let repeats = 0; ; repeats += 1) {
    try {
      await send();
      return;
    } catch (error) {
      if (repeats > 0 && hasCode(error, RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged)) return;
      const mayRepeat = error instanceof Unconfirmed || isBrokenConnection(error);
      if (!mayRepeat || repeats === REPEATS) throw error;
    }
  }
}

/** Retries once after a broken connection; only for idempotent requests. */
export async function resend(send: () => Promise<unknown>): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (!isBrokenConnection(error)) throw error;
    await send();
  }
}

/** Deletes a message. One that is gone may have been deleted by a first attempt whose answer was lost. */
export async function remove(send: () => Promise<unknown>): Promise<void> {
  try {
    await resend(send);
  } catch (error) {
    if (!hasCode(error, RESTJSONErrorCodes.UnknownMessage)) throw error;
  }
}

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

/** Error codes that mean that nothing has left this machine. */
const UNSENT = [
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
];

/** Discord cannot have taken it. */
export function isUnsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && UNSENT.includes(String(error.code));
}

/** Discord is failing or unreachable. */
export function isOutage(error: unknown): boolean {
  return error instanceof HTTPError || error instanceof Unconfirmed || isBrokenConnection(error);
}

/** What failed, without the error's message: that may contain an address. */
export function failureName(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if ('status' in error) return `status ${error.status}`;
  // DOMException, of a request that took too long, has a number without a meaning.
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** No response, so nobody knows whether the request arrived. */
function isBrokenConnection(error: unknown): boolean {
  if (error instanceof DiscordAPIError || error instanceof HTTPError || !(error instanceof Error))
    return false;
  const code = 'code' in error ? String(error.code) : '';
  return error.name === 'AbortError' || /^(UND_ERR_|E[A-Z_]+$)/.test(code);
}

function hasCode(error: unknown, code: RESTJSONErrorCodes): boolean {
  return error instanceof DiscordAPIError && error.code === code;
}
