import { DefaultRestOptions, RESTJSONErrorCodes, type RESTOptions, type ResponseLike } from 'discord.js';
import { type Dispatcher, type FormData, Headers, Pool, Response } from 'undici';
import { z } from 'zod';
import { createBoundedMap } from '../../base/bounded.ts';
import { abortAfter } from '../../base/clock.ts';
import { DAY, doublePause, MINUTE, SECOND } from '../../base/duration.ts';
import type { RequestCount } from './request-count.ts';
import { isOutage, isUnsent, Unconfirmed } from './resend.ts';

/** A connection that is idle for longer is not used again, however long the server would keep it. */
const IDLE_MS = 4 * SECOND;

const READ = /^(?:content-type|date|retry-after|via|x-ratelimit-.*)$/i;

/**
 * The `makeRequest` of a REST client whose requests all go to one origin. The library's own makes a stream of each
 * response, and parses its address twice: a fifth of what a cached command costs. Resolves with the headers, like
 * that one, once the waits among them are safe; rejects with what undici rejects with, or with the signal's reason.
 * `apiUrl`: null for Discord's own.
 */
export function createMakeRequest(apiUrl: string | null): (
  url: string,
  init: {
    readonly method?: Dispatcher.HttpMethod;
    readonly headers?: Record<string, string>;
    readonly body?: string | FormData | null;
    readonly signal?: AbortSignal | null;
  },
) => Promise<ResponseLike> {
  const api = apiUrl ?? DefaultRestOptions.api;
  const openPool = (): Pool => new Pool(new URL(api).origin, { keepAliveMaxTimeout: IDLE_MS });
  let pool = openPool();
  /** Connections that were idle beside one that is dead are likely to be dead too: only requests under way keep them. */
  const abandon = (usedPool: Pool): void => {
    if (usedPool !== pool) return;
    pool = openPool();
    // Ends with the last request; each is limited.
    void usedPool.close();
  };
  // Addresses begin with it as it was given: perhaps with the default port spelt out, or in capitals.
  const start = /^\w+:\/\/[^/]*/.exec(api)?.[0] ?? '';
  const judge = createRateLimitJudge();
  return async (url, { method = 'GET', headers = {}, body = null, signal = null }) => {
    const path = url.slice(start.length);
    const awaited = Promise.withResolvers<ResponseLike>();
    const usedPool = pool;
    const handlers = collect(signal, awaited, () => abandon(usedPool));
    usedPool.dispatch({ method, path, headers, body }, handlers);
    const response = await awaited.promise;
    judge(`${method} ${path}`, response.status, response.headers);
    return response;
  };
}

/** Gathers the response; Discord's are a few kilobytes. `onUnanswered`: called when the signal ends it before that. */
function collect(
  signal: AbortSignal | null,
  { resolve, reject }: PromiseWithResolvers<ResponseLike>,
  onUnanswered: () => void,
): Dispatcher.DispatchHandlers {
  const body = Promise.withResolvers<Buffer>();
  // A rejection that nobody reads must not end the process.
  body.promise.catch(() => {});
  const chunks: Buffer[] = [];
  let end: ((reason: Error) => void) | null = null;
  let isAnswered = false;
  const fail = (reason: Error): void => {
    body.reject(reason);
    reject(reason);
  };
  // Even while the connection is being made: undici would wait for that.
  signal?.addEventListener('abort', () => {
    if (!isAnswered) onUnanswered();
    fail(signal.reason);
    end?.(signal.reason);
  });
  return {
    onConnect(stop) {
      if (signal?.aborted) stop(signal.reason);
      else end = stop;
    },
    onHeaders(status, raw, _resume, statusText) {
      // Early hints and the like come before the response.
      if (status < 200) return true;
      isAnswered = true;
      resolve(responseOf(status, statusText, raw, body.promise));
      return true;
    },
    onData(chunk) {
      chunks.push(chunk);
      return true;
    },
    onComplete() {
      body.resolve(Buffer.concat(chunks));
    },
    onError: fail,
  };
}

function responseOf(
  status: number,
  statusText: string,
  raw: readonly Buffer[],
  body: Promise<Buffer>,
): ResponseLike {
  const text = async (): Promise<string> => (await body).toString();
  return {
    status,
    statusText,
    ok: status < 300,
    headers: headersOf(raw),
    body: null,
    // The body can be read more than once.
    bodyUsed: false,
    text,
    json: async () => JSON.parse(await text()),
    arrayBuffer: async () => new Uint8Array(await body).buffer,
  };
}

/** Headers that the REST client reads, out of two dozen. Names and values come in turn. */
function headersOf(raw: readonly Buffer[]): Headers {
  const headers = new Headers();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = String(raw[index]);
    if (READ.test(name)) headers.append(name, String(raw[index + 1]));
  }
  return headers;
}

/** No wait after a 429 is shorter. It doubles with each further one, up to a minute, after which the client gives up. */
const RETRY_PAUSE_MS = { first: SECOND, longest: MINUTE };
/** Discord's longest wait, the one for new commands, in ms. A longer one is none that it has said. */
const MAX_WAIT_MS = DAY;
/** Requests whose 429s are counted at once. */
const MAX_COUNTED_REQUESTS = 1000;

/**
 * The REST client takes the waits in the headers as they are, and sends a request again at once where there is none
 * to be read; Discord bans an address after ten thousand refusals in ten minutes. `request`: its method and its path.
 */
function createRateLimitJudge(): (request: string, status: number, headers: ResponseLike['headers']) => void {
  /** How many 429s in a row each request has got. */
  const refusals = createBoundedMap<string, number>(MAX_COUNTED_REQUESTS);
  return (request, status, headers) => {
    const reset = usable(headers.get('X-RateLimit-Reset-After'));
    if (status !== 429) {
      refusals.delete(request);
      headers.delete('Retry-After');
      if (reset === null) headers.delete('X-RateLimit-Reset-After');
      return;
    }
    const refusalCount = refusals.get(request) ?? 0;
    refusals.set(request, refusalCount + 1);
    const minWait = doublePause(RETRY_PAUSE_MS, refusalCount);
    const wait = Math.max(minWait, usable(headers.get('Retry-After')) ?? reset ?? 0);
    headers.set('Retry-After', String(wait / SECOND));
    if (headers.has('X-RateLimit-Reset-After'))
      headers.set('X-RateLimit-Reset-After', String(Math.max(minWait, reset ?? wait) / SECOND));
  };
}

/** A wait in ms; null for what Discord cannot mean. */
function usable(seconds: string | null): number | null {
  if (seconds === null || !/^\d+(?:\.\d+)?$/.test(seconds)) return null;
  const wait = Number(seconds) * SECOND;
  return wait > 0 && wait <= MAX_WAIT_MS ? wait : null;
}

type MakeRequest = RESTOptions['makeRequest'];

/** Requests over an interaction's token, in any version of the API and behind any proxy. */
const OF_INTERACTION = /\/(?:interactions|webhooks)\/\d+\//;

/** A new event or a new message, which Discord would make once more. */
const NEW_EVENT_OR_MESSAGE = /\/(?:guilds\/\d+\/scheduled-events|channels\/\d+\/messages)$/;

/** Tells the `Date` of each answer. */
export function withDateHeader(makeRequest: MakeRequest, onDate: (date: string | null) => void): MakeRequest {
  return async (url, init) => {
    const response = await makeRequest(url, init);
    onDate(response.headers.get('date'));
    return response;
  };
}

/** Answers to interactions do not count towards Discord's limit on all requests. */
export function withRequestCount(makeRequest: MakeRequest, count: RequestCount): MakeRequest {
  return (url, init) =>
    OF_INTERACTION.test(url)
      ? makeRequest(url, init)
      : count.during(() => makeRequest(url, init), { statusOf: ({ status }) => status });
}

/**
 * A POST over an interaction's token, of an event or of a message is sent once. The REST client repeats what was answered
 * with a 5xx, too late or not at all, and a message that Discord has taken then appears twice: the nonce of a message in a
 * channel counts for some minutes only, and the others have none. A last attempt that never left would also hide that an
 * earlier one may have arrived. Such a POST rejects with {@link Unconfirmed}, which the client does not repeat. Anything
 * else is as it was.
 */
export function withoutRepeats(makeRequest: MakeRequest): MakeRequest {
  return async (url, init) => {
    if (init.method !== 'POST' || !(OF_INTERACTION.test(url) || NEW_EVENT_OR_MESSAGE.test(url)))
      return makeRequest(url, init);
    const response = await makeRequest(url, init).catch((error: unknown) => {
      throw isUnsent(error) ? error : new Unconfirmed(null, error);
    });
    if (response.status >= 500) throw new Unconfirmed(response.status);
    return response;
  };
}

/** A first response to an interaction, in any version of the API. */
const FIRST_RESPONSE = /\/interactions\/\d+\/[^/]+\/callback\b/;

/**
 * How long a try may take before the next one, in ms, which goes over a new connection: something on the way may have
 * forgotten the old one without a word, and Discord waits for three seconds. The last try takes as long as the REST client lets it.
 */
const TRY_LIMITS_MS: readonly (number | null)[] = [900, 900, null, null];

const Refusal = z.object({ code: z.int() });

/**
 * Sends a first response again where nobody knows whether it arrived, since Discord takes one only; its "already acknowledged" then
 * means that it had.
 */
export function withSecondTries(makeRequest: MakeRequest): MakeRequest {
  return async (url, init) => {
    if (!FIRST_RESPONSE.test(url)) return makeRequest(url, init);
    const attempt = (limitMs: number | null): Promise<ResponseLike> =>
      limitMs === null
        ? makeRequest(url, init)
        : abortAfter(limitMs, (signal) => makeRequest(url, { ...init, signal }), { outer: init.signal });
    const [firstLimitMs = null, ...otherLimitsMs] = TRY_LIMITS_MS;
    let outcome = await orOutage(attempt(firstLimitMs));
    for (const limitMs of otherLimitsMs) {
      if (!(outcome instanceof Error)) return outcome;
      outcome = await orOutage(attempt(limitMs));
      if (await isAlreadyAcknowledged(outcome)) return new Response(null, { status: 204 });
    }
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
}

/** Resolves with the error if nobody knows whether Discord has taken the request. */
async function orOutage(request: Promise<ResponseLike>): Promise<ResponseLike | Error> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof Error && isOutage(error)) return error;
    throw error;
  }
}

async function isAlreadyAcknowledged(outcome: ResponseLike | Error): Promise<boolean> {
  if (outcome instanceof Error || outcome.status !== 400) return false;
  const refusal = Refusal.safeParse(await outcome.json().catch(() => null));
  return refusal.data?.code === RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged;
}
