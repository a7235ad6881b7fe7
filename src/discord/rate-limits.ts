import type { ResponseLike } from '@discordjs/rest';
import { DAY, MINUTE, SECOND } from '../base/duration.ts';

/** No wait after a 429 is shorter. It doubles with each further one, up to a minute, after which the client gives up. */
const LEAST = SECOND;
const MOST = MINUTE;
/** Discord's longest wait, the one for new commands, in ms. A longer one is none that it has said. */
const LONGEST = DAY;
/** Requests whose 429s are counted at once. */
const COUNTED = 1000;

/** Makes the headers of one answer safe for the REST client. `request`: its method and its path. */
type JudgeRateLimits = (request: string, status: number, headers: ResponseLike['headers']) => void;

/**
 * The REST client takes the waits in the headers as they are, and sends a request again at once where there is none
 * to be read; Discord bans an address after ten thousand refusals in ten minutes.
 */
export function createRateLimitJudge(): JudgeRateLimits {
  /** How many 429s in a row each request has got. */
  const refusals = new Map<string, number>();
  return (request, status, headers) => {
    const reset = usable(headers.get('X-RateLimit-Reset-After'));
    if (status !== 429) {
      refusals.delete(request);
      headers.delete('Retry-After');
      if (reset === null) headers.delete('X-RateLimit-Reset-After');
      return;
    }
    const before = refusals.get(request) ?? 0;
    refusals.delete(request);
    refusals.set(request, before + 1);
    const [oldest] = refusals.keys();
    if (refusals.size > COUNTED && oldest !== undefined) refusals.delete(oldest);
    const least = Math.min(MOST, LEAST * 2 ** before);
    const wait = Math.max(least, usable(headers.get('Retry-After')) ?? reset ?? 0);
    headers.set('Retry-After', String(wait / SECOND));
    if (headers.has('X-RateLimit-Reset-After'))
      headers.set('X-RateLimit-Reset-After', String(Math.max(least, reset ?? wait) / SECOND));
  };
}

/** A wait in ms; null for what Discord cannot mean. */
function usable(seconds: string | null): number | null {
  if (seconds === null || !/^\d+(?:\.\d+)?$/.test(seconds)) return null;
  const wait = Number(seconds) * SECOND;
  return wait > 0 && wait <= LONGEST ? wait : null;
}
