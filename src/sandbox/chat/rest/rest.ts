/**
 * REST v10 over `node:http`: reads a request, calls its route, and answers like the real one or as a fault demands.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { ApiError, refusal } from '../api-error.ts';
import type { BotToken } from '../state/bot-token.ts';
import type { Faults } from '../state/faults.ts';
import type { Rate, RateLimits } from './rate-limits.ts';
import { createRestFaults } from './rest-faults.ts';

/** Discord accepts 10 MiB of files, and less text. */
const BODY_LIMIT = 12 * 1024 * 1024;

export interface RestRequest {
  readonly method: string;
  /** Below the version: `/channels/1/messages`. */
  readonly path: string;
  /** Address of the bot's copy that asks, if each copy has its own. */
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
  /** Open to everyone, or authorised by an interaction's token instead of the bot's. */
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

interface RestOptions {
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
  const closed = new AbortController();
  const routes = createRouting(options);
  const faults = createRestFaults(options.faults, closed.signal);

  /** The answer and its headers; null: close the connection without one. */
  async function answer(request: RestRequest, authorization: string | undefined): Promise<Replied | null> {
    if ((await faults.before()) === 'lost') return null;
    const { handle, isOpen, headers } = routes.find(request, authorization);
    try {
      await faults.within(request);
      const answered = await handle();
      return (await faults.after(request, isOpen)) === 'lost' ? null : { ...answered, headers };
    } catch (error) {
      if (error instanceof ApiError) return failed(error, headers);
      throw error;
    }
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { path, copy, query } = placeOf(incoming.url ?? '/');
    const method = incoming.method ?? 'GET';
    let sent: unknown;
    let result: Replied | null;
    try {
      const read = await readBody(incoming);
      sent = read.body;
      const request = { method, path, copy, query, ...read };
      options.received(request);
      result = await answer(request, incoming.headers.authorization);
    } catch (error) {
      if (closed.signal.aborted) return;
      // A bug in this server, which its user has to see.
      if (!(error instanceof ApiError)) process.emitWarning(error instanceof Error ? error : String(error));
      const known = error instanceof ApiError ? error : new ApiError(500, 0, '500: Internal Server Error');
      result = failed(known, {});
    }
    const asked = { method, path, copy, status: result?.status ?? 0, at: options.now() };
    options.answered(asked, sent, result?.body);
    if (result === null) incoming.socket.destroy();
    else write(response, result, options.now());
  }

  const server = createServer((incoming, response) => void serve(incoming, response));
  server.on('close', () => closed.abort());
  return server;
}

type Headers = Readonly<Record<string, string>>;
type Replied = Answer & { readonly headers: Headers };

function failed(error: ApiError, headers: Headers): Replied {
  return { status: error.status, body: error.body, headers: { ...headers, ...error.headers } };
}

function placeOf(address: string): Pick<RestRequest, 'path' | 'copy' | 'query'> {
  const { pathname, searchParams } = new URL(address, 'http://127.0.0.1');
  const [prefix = '', copy = null] = /^(?:\/copies\/([\w-]+))?\/api(?:\/v10)?(?=\/)/.exec(pathname) ?? [];
  return { path: decoded(pathname.slice(prefix.length)), copy, query: searchParams };
}

/** Libraries write `@me` as `%40me`. What cannot be decoded is no route. */
function decoded(path: string): string {
  try {
    return path.split('/').map(decodeURIComponent).join('/');
  } catch {
    return path;
  }
}

/** The route of a request, once it is authorised and counted. */
function createRouting({ routes, token, rates }: RestOptions) {
  const known = routes.map((route) => ({
    ...route,
    pattern: new RegExp(`^${route.path.replaceAll('*', '([^/]+)')}$`),
  }));

  return {
    find(request: RestRequest, authorization = '') {
      const here = known.filter(({ pattern }) => pattern.test(request.path));
      const route = here.find(({ method }) => method === request.method);
      if (here.length > 0 && route === undefined) throw new ApiError(405, 0, '405: Method Not Allowed');
      if (route === undefined) throw refusal('no-such-route');
      const isOpen = route.open === true;
      const isBots = authorization.startsWith('Bot ') && token.accepts(authorization.slice('Bot '.length));
      if (!isOpen && !isBots) throw refusal('unauthorised');
      const ids = (route.pattern.exec(request.path) ?? []).slice(1);
      if (!isOpen) rates.takeGlobal();
      const major = ids.slice(0, isOpen ? 2 : 1).join(' ');
      const headers: Headers =
        route.rate === undefined ? {} : rates.take(route.rate, `${route.method} ${route.path}`, major);
      return { handle: () => route.handle(request, ...ids), isOpen, headers };
    },
  };
}

/** `now`: the server's time in unix milliseconds, which may be ahead of the machine's. */
function write(response: ServerResponse, { status, body, file, headers }: Replied, now: number): void {
  response.setHeader('Date', new Date(now).toUTCString());
  if (file !== undefined) {
    response.writeHead(status, { 'Content-Type': file.type, 'Content-Disposition': 'attachment' });
    response.end(file.bytes);
    return;
  }
  response.writeHead(status, {
    ...headers,
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  });
  response.end(body === undefined ? undefined : JSON.stringify(body));
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
