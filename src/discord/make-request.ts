import { STATUS_CODES } from 'node:http';
import type { ResponseLike } from 'discord.js';
import { type Dispatcher, type FormData, Headers, Pool } from 'undici';

/** The part of a request that discord.js's REST client fills in. */
interface Init {
  readonly method?: Dispatcher.HttpMethod;
  readonly headers?: Record<string, string>;
  readonly body?: string | FormData | null;
  readonly signal?: AbortSignal | null;
}

/**
 * The `makeRequest` of a REST client whose requests all go to one origin. The library's own makes a stream of each
 * response, and parses its address twice: a fifth of what a cached command costs. Resolves with the headers, like
 * that one; rejects with what undici rejects with, or with the signal's reason.
 */
export function createMakeRequest(apiUrl: string): (url: string, init: Init) => Promise<ResponseLike> {
  const { origin } = new URL(apiUrl);
  const pool = new Pool(origin);
  return async (url, { method = 'GET', headers = {}, body = null, signal = null }) => {
    signal?.throwIfAborted();
    const path = url.slice(origin.length);
    const response = Promise.withResolvers<ResponseLike>();
    const handlers = collect(signal, response);
    pool.dispatch({ method, path, headers, body }, handlers);
    return response.promise;
  };
}

/** Gathers the response; Discord's are a few kilobytes. */
function collect(
  signal: AbortSignal | null,
  { resolve, reject }: PromiseWithResolvers<ResponseLike>,
): Dispatcher.DispatchHandlers {
  const body = Promise.withResolvers<Buffer>();
  // Rejected also where nobody reads it.
  body.promise.catch(() => {});
  const chunks: Buffer[] = [];
  let end: ((reason: Error) => void) | null = null;
  const fail = (reason: Error): void => {
    signal?.removeEventListener('abort', abort);
    body.reject(reason);
    reject(reason);
  };
  // Also while the connection is being made, which undici would wait for.
  function abort(): void {
    fail(signal?.reason);
    end?.(signal?.reason);
  }
  signal?.addEventListener('abort', abort, { once: true });
  return {
    onConnect(stop) {
      if (signal?.aborted) stop(signal.reason);
      else end = stop;
    },
    onHeaders(status, raw) {
      // Early hints and the like come before the response.
      if (status >= 200) resolve(responseOf(status, raw, body.promise));
      return true;
    },
    onData(chunk) {
      chunks.push(chunk);
      return true;
    },
    onComplete() {
      signal?.removeEventListener('abort', abort);
      body.resolve(Buffer.concat(chunks));
    },
    onError: fail,
  };
}

function responseOf(status: number, raw: readonly Buffer[], body: Promise<Buffer>): ResponseLike {
  let isRead = false;
  const read = (): Promise<Buffer> => {
    isRead = true;
    return body;
  };
  const text = async (): Promise<string> => (await read()).toString();
  return {
    status,
    ok: status < 300,
    statusText: STATUS_CODES[status] ?? '',
    headers: headersOf(raw),
    body: null,
    get bodyUsed() {
      return isRead;
    },
    text,
    json: async () => JSON.parse(await text()),
    arrayBuffer: async () => new Uint8Array(await read()).buffer,
  };
}

/** Names and values come in turn. */
function headersOf(raw: readonly Buffer[]): Headers {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2)
    pairs.push([String(raw[index]), String(raw[index + 1])]);
  return new Headers(pairs);
}
