import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { Agent, type Dispatcher, errors, request } from 'undici';
import type { Clock } from '../../clock.ts';
import { type RateReport, ServiceError } from '../../errors.ts';
import type { Call, Layer } from '../call.ts';
import { type Arrived, type Body, verdict } from './classify-response.ts';
import { createRevalidation } from './revalidation.ts';

export interface TransportSettings {
  /** The service's address; a path in it stays in front of every path. */
  readonly url: string;
  /** Goes into the query of keyed calls and nowhere else. */
  readonly key: string;
  readonly clock?: Pick<Clock, 'now'>;
  /** What sends; an Agent of our own unless a test passes one. */
  readonly dispatcher?: Dispatcher;
  /** For one question in all, from the first byte sent to the last byte read. */
  readonly seconds?: number;
}

export interface Transport {
  readonly layer: Layer;
  /** Lets what is under way end, then closes the connections. */
  close(): Promise<void>;
}

/** Bytes of a body, on the wire and unpacked. */
const MAX_BYTES = 2 * 1024 * 1024;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

function header(headers: Headers, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

function numberIn(text: string | null | undefined): number | null {
  if (text === null || text === undefined || !/^\s*-?\d+(\.\d+)?\s*$/.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

function dateIn(text: string | null): number | null {
  const value = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(value) ? null : value;
}

/** Interface §8, and `Retry-After` in either of its two forms. */
function rateReport(headers: Headers): RateReport {
  const [limit, windowSeconds] = (header(headers, 'x-ratelimit-limit') ?? '').split('/');
  const date = dateIn(header(headers, 'date'));
  const retryAfter = header(headers, 'retry-after');
  const retryDate = numberIn(retryAfter) === null ? dateIn(retryAfter) : null;
  return {
    limit: numberIn(limit),
    windowSeconds: numberIn(windowSeconds),
    remaining: numberIn(header(headers, 'x-ratelimit-remaining')),
    reset: numberIn(header(headers, 'x-ratelimit-reset')),
    date,
    retryAfter: retryDate === null ? numberIn(retryAfter) : date === null ? null : (retryDate - date) / 1000,
  };
}

/**
 * When a record was true, by our clock. The service states it by its own, which also stamps the response: what
 * counts is how long before the response it was, however wrong either clock is. Never a time ahead of now.
 */
function onOurClock(statedAt: number | null, { rate, heldFor }: Arrived, now: number): number {
  if (statedAt === null) return now;
  const age = (rate.date ?? now) - statedAt + heldFor;
  return now - Math.max(0, age);
}

// ── What is asked ───────────────────────────────────────────────────────────────────────────────────

/** The path and query of a call; null if a segment would leave its place once a server has resolved it. */
function target(base: string, call: Call, key: string): string | null {
  if (call.path.some((segment) => /^\.{0,2}$/.test(segment))) return null;
  const query = new URLSearchParams(call.query);
  if (call.keyed) query.set('key', key);
  const path = `${base}/${call.path.map(encodeURIComponent).join('/')}`;
  return query.size === 0 ? path : `${path}?${query}`;
}

// ── What comes back ─────────────────────────────────────────────────────────────────────────────────

const tooLarge: Body = { kind: 'garbled', detail: 'a body of more than 2 MiB' };

const inflaters = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

async function unpack(packed: Buffer, encoding: string): Promise<Buffer | Body> {
  if (encoding === '' || encoding === 'identity' || packed.length === 0) return packed;
  const inflater = inflaters.get(encoding);
  if (inflater === undefined) return { kind: 'garbled', detail: 'an encoding that was not asked for' };
  try {
    return await inflater(packed, { maxOutputLength: MAX_BYTES });
  } catch (error) {
    return codeOf(error) === 'ERR_BUFFER_TOO_LARGE'
      ? tooLarge
      : { kind: 'garbled', detail: 'a body that cannot be unpacked' };
  }
}

function parse(text: string): Body {
  const trimmed = text.trim();
  if (trimmed === '') return { kind: 'empty' };
  if (trimmed.startsWith('<')) return { kind: 'page' };
  try {
    const value: unknown = JSON.parse(trimmed);
    return { kind: 'json', value };
  } catch {
    // A sentence is told from a record that is cut off or broken by how it begins and how long it is.
    const sentence = trimmed.length <= 500 && !/^[[{"]/.test(trimmed);
    return sentence
      ? { kind: 'text', text: trimmed }
      : { kind: 'garbled', detail: 'a body that is not JSON' };
  }
}

async function readBody({ body, headers }: Dispatcher.ResponseData): Promise<Body> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const arriving: AsyncIterable<Uint8Array> = body;
  for await (const chunk of arriving) {
    size += chunk.length;
    // Leaving the loop destroys the body and with it the connection.
    if (size > MAX_BYTES) return tooLarge;
    chunks.push(chunk);
  }
  const encoding = (header(headers, 'content-encoding') ?? '').trim().toLowerCase();
  const unpacked = await unpack(Buffer.concat(chunks), encoding);
  // The decoder drops a byte order mark, which PHP files are prone to.
  return Buffer.isBuffer(unpacked) ? parse(new TextDecoder().decode(unpacked)) : unpacked;
}

// ── What goes wrong on the way ──────────────────────────────────────────────────────────────────────

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Before any byte of a request is sent, a connection must stand. */
function failedToConnect(error: unknown): string | null {
  const code = codeOf(error);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'its name was not found';
  if (code === 'ECONNREFUSED') return 'the connection was refused';
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'no connection in time';
  if (/^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|ERR_TLS_CERT_)/.test(code)) {
    return 'its certificate is not valid';
  }
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') return 'it does not speak TLS';
  if (code === 'UND_ERR_CLOSED' || code === 'UND_ERR_DESTROYED') return 'we are closing';
  const connecting = error instanceof Error && 'syscall' in error && error.syscall === 'connect';
  return connecting ? 'no connection' : null;
}

const dropped = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']);

/**
 * Turns what was thrown into a ServiceError that knows nothing of it: messages, properties and causes of many
 * of undici's errors hold the URL, and so the key.
 */
function failure(error: unknown, call: Call, answered: RateReport | null): ServiceError {
  const { endpoint } = call;
  const unconnected = answered === null ? failedToConnect(error) : null;
  if (unconnected !== null) {
    return new ServiceError('unavailable', { endpoint, sent: 'no', detail: unconnected });
  }
  const known = answered === null ? ({ sent: 'maybe' } as const) : ({ sent: 'yes', rate: answered } as const);
  if (error === expired)
    return new ServiceError('unavailable', { endpoint, ...known, detail: 'no answer in time' });
  const code = codeOf(error);
  if (error instanceof errors.HTTPParserError || code === 'UND_ERR_HEADERS_OVERFLOW') {
    return new ServiceError('bad-response', { endpoint, ...known, detail: 'an answer that is not HTTP' });
  }
  const transient = dropped.has(code);
  const detail = transient ? 'the connection was dropped' : 'the connection failed';
  return new ServiceError('unavailable', { endpoint, ...known, transient, detail });
}

/** Why a request was aborted by us. */
const expired = Symbol('expired');

/**
 * The lowest layer: one GET to one origin; redirects are never followed. The only place that knows the key, and
 * the only one where a cause becomes a fault. Logs nothing.
 */
export function createTransport(settings: TransportSettings): Transport {
  const { url, key, clock = { now: Date.now }, dispatcher, seconds = 8 } = settings;
  const { origin, pathname } = new URL(url);
  const base = pathname.replace(/\/+$/, '');
  const own = new Agent({
    connections: 16,
    keepAliveTimeout: 30_000,
    allowH2: false,
    connect: { timeout: seconds * 600 },
    // One limit over all is set for each request; these would only end it early or late.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  const files = createRevalidation();

  async function send(path: string, call: Call): Promise<Arrived> {
    const limit = new AbortController();
    const { promise: over, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      limit.abort(expired);
      reject(expired);
    }, seconds * 1000);
    let rate: RateReport | null = null;
    try {
      const asked = request(origin + path, {
        dispatcher: dispatcher ?? own,
        headers: {
          accept: 'application/json',
          'accept-encoding': 'gzip, br',
          'user-agent': 'Pitwall',
          ...(call.keyed ? {} : files.headers(path)),
        },
        signal: limit.signal,
      });
      // A request that waits for its connection does not hear the signal, so the limit is raced as well.
      const response = await Promise.race([asked, over]);
      rate = rateReport(response.headers);
      const { statusCode: status, headers } = response;
      const heldFor = 1000 * Math.max(0, numberIn(header(headers, 'age')) ?? 0);
      const body = await readBody(response);
      const unchanged = status === 304 && !call.keyed ? files.kept(path) : null;
      if (unchanged !== null) return { status: 200, rate, heldFor, body: unchanged };
      if (!call.keyed && status === 200) {
        const version = { etag: header(headers, 'etag'), modified: header(headers, 'last-modified') };
        files.keep(path, version, body);
      }
      return { status, rate, heldFor, body };
    } catch (error) {
      throw failure(limit.signal.aborted ? expired : error, call, rate);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    layer: async (call) => {
      const path = target(base, call, key);
      if (path === null) {
        const detail = 'a path that would leave its place';
        throw new ServiceError('bad-response', { endpoint: call.endpoint, sent: 'no', detail });
      }
      const arrived = await send(path, call);
      const { value, asOf: statedAt } = verdict(arrived, call, clock);
      return {
        body: value,
        asOf: onOurClock(statedAt, arrived, clock.now()),
        stale: null,
        rate: arrived.rate,
      };
    },
    close: () => own.close(),
  };
}
