/**
 * REST v10 over `node:http`: reads a request, calls its route, and answers like the real one or as a fault demands.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { ApiError, refusal } from './api-error.ts';
import type { BotToken } from './bot-token.ts';
import type { Faults } from './faults.ts';
import { type Rate, type RateLimits, tooMany } from './rate-limits.ts';

/** Discord accepts 10 MiB of files, and less text. */
const BODY_LIMIT = 12 * 1024 * 1024;
const SLOW = 2000;
const DAY = 24 * 60 * 60_000;

export interface RestRequest {
  readonly method: string;
  /** Below the version: `/channels/1/messages`. */
  readonly path: string;
  /** Which copy of the bot asks, where they have addresses of their own. */
  readonly copy: string | null;
  readonly query: URLSearchParams;
  /** Parsed JSON, or the contents of `payload_json`; undefined where there is neither. */
  readonly body: unknown;
  readonly files: readonly UploadedFile[];
}

export interface UploadedFile {
  /** The n of `files[n]`. */
  readonly index: number;
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  /** Replaces the body: the uploaded bytes. */
  readonly file?: UploadedFile;
}

export interface Route {
  readonly method: string;
  /** One `*` per id, passed to `handle` in this order. */
  readonly path: string;
  /** Counted per channel, guild or application, and per interaction token where there is one. */
  readonly rate?: Rate;
  /** Authorised by an interaction's token instead of the bot's. */
  readonly open?: boolean;
  readonly handle: (request: RestRequest, ...ids: string[]) => Answer | Promise<Answer>;
}

/** A route that reads something: a body with 200, whatever else the request says. */
export function get(path: string, body: (...ids: string[]) => unknown): Route {
  return { method: 'GET', path, handle: (_, ...ids) => ({ status: 200, body: body(...ids) }) };
}

/** One answered request. Status 0: the connection was closed instead. */
export interface AnsweredRequest {
  readonly method: string;
  readonly path: string;
  readonly copy: string | null;
  readonly status: number;
  /** Unix milliseconds. */
  readonly at: number;
}

export interface RestOptions {
  readonly token: BotToken;
  readonly routes: readonly Route[];
  readonly rates: RateLimits;
  readonly faults: Faults;
  readonly now: () => number;
  /** Called with every request before it is handled. */
  readonly received: (request: RestRequest) => void;
  readonly answered: (request: AnsweredRequest, sent: unknown, body: unknown) => void;
}

export function createRestServer(options: RestOptions): Server {
  const routes = options.routes.map((route) => ({
    ...route,
    pattern: new RegExp(`^${route.path.replaceAll('*', '([^/]+)')}$`),
  }));
  const { faults, rates } = options;
  const closed = new AbortController();

  function isAuthorised(header = ''): boolean {
    return header.startsWith('Bot ') && options.token.accepts(header.slice('Bot '.length));
  }

  /** The answer; null: close the connection without one. */
  async function answer(
    request: RestRequest,
    authorization: string | undefined,
    headers: (more: Readonly<Record<string, string>>) => void,
  ): Promise<Answer | null> {
    if (faults.isOn('rest-slow')) await wait(SLOW, undefined, { signal: closed.signal });
    if (faults.strikes('rest-lost')) return null;
    if (faults.strikes('rest-500')) throw new ApiError(500, 0, '500: Internal Server Error');
    if (faults.strikes('rate-limited')) throw tooMany(1000);

    const here = routes.filter(({ pattern }) => pattern.test(request.path));
    const route = here.find(({ method }) => method === request.method);
    if (here.length > 0 && route === undefined) throw new ApiError(405, 0, '405: Method Not Allowed');
    if (route === undefined) throw refusal('no-such-route');
    if (route.open !== true && !isAuthorised(authorization)) throw refusal('unauthorised');
    const ids = (route.pattern.exec(request.path) ?? []).slice(1).map((id) => decodeURIComponent(id));

    if (route.open !== true) rates.takeGlobal();
    if (route.rate !== undefined) {
      const major = ids.slice(0, route.open === true ? 2 : 1).join(' ');
      headers(rates.take(route.rate, `${route.method} ${route.path}`, major));
    }

    const messages = /^\/channels\/\d+\/messages/.test(request.path);
    if (messages && request.method === 'GET') {
      if (faults.strikes('read-500')) throw new ApiError(500, 0, '500: Internal Server Error');
      if (faults.strikes('read-unanswered')) return never(closed.signal);
    }
    if (request.method === 'PUT' && /\/commands$/.test(request.path)) {
      if (faults.strikes('publish-429')) throw tooMany(DAY);
      if (faults.strikes('publish-500')) throw new ApiError(500, 0, '500: Internal Server Error');
    }
    if (request.files.length > 0 && faults.strikes('upload-refused')) throw refusal('too-large');
    const result = await route.handle(request, ...ids);
    if (route.open === true && request.method !== 'GET' && faults.strikes('answer-lost')) return null;
    if (messages && request.method === 'POST') {
      if (faults.strikes('post-500-after-create')) throw new ApiError(500, 0, '500: Internal Server Error');
      if (faults.strikes('post-502-after-create')) throw new ApiError(502, 0, '502: Bad Gateway');
      if (faults.strikes('post-lost')) return null;
      if (faults.strikes('post-unanswered')) return never(closed.signal);
    }
    return result;
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '/', 'http://127.0.0.1');
    const [prefix = '', copy = null] =
      /^(?:\/copies\/([\w-]+))?\/api(?:\/v10)?(?=\/)/.exec(url.pathname) ?? [];
    const path = url.pathname.slice(prefix.length);
    const method = incoming.method ?? 'GET';
    let result: Answer | null;
    let sent: unknown;
    let more: Readonly<Record<string, string>> = {};
    try {
      const read = await readBody(incoming);
      const request = { method, path, copy, query: url.searchParams, ...read };
      sent = read.body;
      options.received(request);
      result = await answer(request, incoming.headers.authorization, (headers) => {
        more = headers;
      });
    } catch (error) {
      if (closed.signal.aborted) return;
      if (!(error instanceof ApiError)) {
        // A bug in this server, which its user has to see.
        process.emitWarning(error instanceof Error ? error : String(error));
        result = { status: 500, body: { message: '500: Internal Server Error', code: 0 } };
      } else {
        more = { ...more, ...error.headers };
        result = { status: error.status, body: error.body };
      }
    }
    const status = result?.status ?? 0;
    options.answered({ method, path, copy, status, at: options.now() }, sent, result?.body);
    if (result === null) {
      incoming.socket.destroy();
      return;
    }
    const { body, file } = result;
    if (file !== undefined) {
      response.writeHead(status, { 'Content-Type': file.type, 'Content-Disposition': 'attachment' });
      response.end(file.bytes);
      return;
    }
    response.writeHead(status, {
      ...more,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  }

  const server = createServer((incoming, response) => void serve(incoming, response));
  server.on('close', () => closed.abort());
  return server;
}

/** Never answers while the server runs. */
function never(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('the chat server was closed')), { once: true });
  });
}

const uploaded = z.instanceof(File);

async function readBody(incoming: IncomingMessage): Promise<Pick<RestRequest, 'body' | 'files'>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    if (!(chunk instanceof Uint8Array)) continue;
    size += chunk.length;
    if (size > BODY_LIMIT) throw refusal('too-large');
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  const type = incoming.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data'))
    return { body: bytes.length === 0 ? undefined : parse(bytes.toString('utf8')), files: [] };

  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
  const json = form.get('payload_json');
  const files: UploadedFile[] = [];
  for (const [field, value] of form) {
    const index = /^files\[(\d+)\]$/.exec(field)?.[1];
    const file = uploaded.safeParse(value);
    if (index === undefined || !file.success) continue;
    const content = await file.data.bytes();
    files.push({ index: Number(index), name: file.data.name, type: file.data.type, bytes: content });
  }
  return { body: typeof json === 'string' ? parse(json) : undefined, files };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refusal('bad-json');
  }
}
