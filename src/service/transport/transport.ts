import { Agent, type Dispatcher } from 'undici';
import type { Clock } from '../../base/clock.ts';
import { SECOND } from '../../base/duration.ts';
import { type RateReport, ServiceError } from '../../base/errors.ts';
import type { Call, Fetched, Layer } from '../call.ts';
import { classifyResponse, type ReceivedResponse } from './classify-response.ts';
import { expired, requestFailure } from './request-failure.ts';
import { MAX_BYTES, readBody } from './response-body.ts';
import { heldFor, rateReport } from './response-headers.ts';

/** The path and query of a call; null if a server would resolve a segment to another place. */
function target(base: string, call: Call, key: string): string | null {
  if (call.path.some((segment) => /^\.{0,2}$/.test(segment))) return null;
  const query = new URLSearchParams(call.query);
  if (call.keyed) query.set('key', key);
  const path = `${base}/${call.path.map(encodeURIComponent).join('/')}`;
  return query.size === 0 ? path : `${path}?${query}`;
}

/**
 * A file is written every second. One that moves on with time and yet is older than this, or from the future, comes from
 * a machine whose clock, or time zone, is not the one of the web server. It is less than what counts as old, so that no
 * such file does between two readings.
 */
const CLOCK_LIMITS_MS = { behind: 30 * SECOND, ahead: 5 * SECOND };
/** Tolerated difference between the time that a file moves by and the time that has passed. */
const CLOCK_TOLERANCE_MS = 5 * SECOND;

/**
 * How old a file is, in ms, as far as the clock can be trusted by which it states its time. `stated`: that time; `age`: by
 * how much it lies before the answer's `Date`. All in ms; `now` by our clock. The files are few: the service has four.
 */
function createFileClocks() {
  const files = new Map<string, { readonly stated: number; readonly at: number; readonly off: number }>();
  return (file: string, stated: number, age: number, now: number): number => {
    const last = files.get(file);
    // The file stands still, so that its age grows.
    if (stated === last?.stated) return age - last.off;
    const runs =
      last !== undefined &&
      stated > last.stated &&
      Math.abs(stated - last.stated - (now - last.at)) <= CLOCK_TOLERANCE_MS;
    const off = runs && (age > CLOCK_LIMITS_MS.behind || age < -CLOCK_LIMITS_MS.ahead) ? age : 0;
    files.set(file, { stated, at: now, off });
    return age - off;
  };
}

function createAgent(seconds: number): Agent {
  return new Agent({
    connections: 16,
    keepAliveTimeout: 30_000,
    allowH2: false,
    connect: { timeout: seconds * 600 },
    // Each request has one overall limit; these would only end it early or late.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

const HEADERS = {
  accept: 'application/json',
  'accept-encoding': 'gzip, br',
  'user-agent': 'Pitwall',
};

/** Ends the work with {@link expired} when its time is up, even work that does not observe the signal yet. */
async function inTime<T>(seconds: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const limit = new AbortController();
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    limit.abort(expired);
    reject(expired);
  }, seconds * 1000);
  try {
    return await Promise.race([work(limit.signal), timeout]);
  } catch (error) {
    throw limit.signal.aborted ? expired : error;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The lowest layer: one GET to one origin, without following redirects. The only place that knows the key, and the
 * only one that turns a cause into a fault. Logs nothing.
 */
export function createTransport(settings: {
  /** The service's address; any path in it prefixes every path. */
  readonly url: string;
  /** Only ever used in the query of keyed calls. */
  readonly key: string;
  readonly clock?: Pick<Clock, 'now'>;
  /** By default, an Agent of our own. */
  readonly dispatcher?: Dispatcher;
  /** Time limit of one request, from the first byte sent to the last byte read. */
  readonly seconds?: number;
}): {
  readonly layer: Layer;
  /** Waits for requests under way, then closes the connections. */
  close(): Promise<void>;
} {
  const { url, key, clock = { now: Date.now }, dispatcher, seconds = 8 } = settings;
  const { origin, pathname } = new URL(url);
  const base = pathname.replace(/\/+$/, '');
  const ownAgent = createAgent(seconds);
  const ageOf = createFileClocks();
  const withoutKey = keyRemover(key);

  /** Sends one GET and reads its body to the end. */
  async function send(path: string, call: Call): Promise<ReceivedResponse> {
    let rate: RateReport | null = null;
    try {
      return await inTime(seconds, async (signal) => {
        const response = await (dispatcher ?? ownAgent).request({
          method: 'GET',
          origin,
          path,
          headers: HEADERS,
          signal,
        });
        const { statusCode: status, headers } = response;
        rate = rateReport(headers);
        const body = await readBody(response, withoutKey, call.keyed ? MAX_BYTES.answer : MAX_BYTES.file);
        if (body.kind === 'json') await call.prepare?.(body.value);
        return { status, rate, heldFor: heldFor(headers), body };
      });
    } catch (error) {
      throw requestFailure(error, call.endpoint, rate);
    }
  }

  /**
   * When a record was true, by our clock. The service states it by its own clock, which also stamps the response:
   * what counts is its age at that moment, however wrong either clock is. Where it states nothing, when it was sent
   * counts. Never in the future.
   */
  function onOurClock(
    statedAt: number | null,
    { cacheKey }: Call,
    { rate, heldFor }: ReceivedResponse,
  ): number {
    const now = clock.now();
    if (statedAt === null) return now - heldFor;
    const age = ageOf(cacheKey, statedAt, (rate.date ?? now) - statedAt, now);
    return now - Math.max(0, age + heldFor);
  }

  return {
    layer: async (call) => {
      const path = target(base, call, key);
      if (path === null) {
        const detail = 'a path that leaves its base address';
        throw new ServiceError('bad-response', { endpoint: call.endpoint, sent: 'no', detail });
      }
      const arrived = await send(path, call);
      const { value, asOf: statedAt } = classifyResponse(arrived, call, clock);
      const asOf = onOurClock(statedAt, call, arrived);
      const fetched: Fetched = { body: value, asOf, stale: null, rate: arrived.rate };
      call.onFetched?.(fetched);
      return fetched;
    },
    close: () => ownAgent.close(),
  };
}

/** A shorter key is a test key and may occur inside names. */
const MIN_KEY_LENGTH = 8;

/**
 * Removes the key from what the service sends: an answer that repeats the request's URL would otherwise put it into
 * the store, or onto a card that shows arbitrary fields.
 */
function keyRemover(key: string): (text: string) => string {
  if (key.length < MIN_KEY_LENGTH) return (text) => text;
  const plain = [key, encodeURIComponent(key), new URLSearchParams({ key }).toString().slice('key='.length)];
  // Percent-encoding may use either case.
  const spelled = plain.flatMap((form) => [form, form.replace(/%[\dA-F]{2}/g, (sign) => sign.toLowerCase())]);
  const quoted = spelled.flatMap((form) => {
    const inJson = JSON.stringify(form).slice(1, -1);
    return [form, inJson, inJson.replaceAll('/', '\\/')];
  });
  const forms = [...new Set(quoted)];
  return (text) => forms.reduce((cleaned, form) => cleaned.replaceAll(form, '…'), text);
}
