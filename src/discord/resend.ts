/** What to do when nobody knows whether Discord has taken a request. */
import { DiscordAPIError, HTTPError, RESTJSONErrorCodes } from 'discord.js';

/**
 * Sends the first response to an interaction. After a broken connection nobody knows whether it arrived, so it is
 * sent again; Discord's "already acknowledged" then means that it had.
 */
export async function acknowledge(send: () => Promise<unknown>): Promise<void> {
  let isRepeated = false;
  await resend(async () => {
    try {
      await send();
    } catch (error) {
      const hadArrived =
        isRepeated &&
        error instanceof DiscordAPIError &&
        error.code === RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged;
      if (!hadArrived) throw error;
    } finally {
      isRepeated = true;
    }
  });
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

/** Discord is failing or unreachable. */
export function isOutage(error: unknown): boolean {
  return error instanceof HTTPError || isBrokenConnection(error);
}

/** No response, so nobody knows whether the request arrived. */
function isBrokenConnection(error: unknown): boolean {
  if (error instanceof DiscordAPIError || error instanceof HTTPError || !(error instanceof Error))
    return false;
  const code = 'code' in error ? String(error.code) : '';
  return error.name === 'AbortError' || /^(UND_ERR_|E[A-Z]+$)/.test(code);
}
