import { Agent, type Dispatcher, request } from 'undici';
import type { Clock } from '../../clock.ts';
import { type RateReport, ServiceError } from '../../errors.ts';
import type { Call, Layer } from '../call.ts';
import { type Arrived, classifyResponse } from './classify-response.ts';
import { expired, requestFailure } from './request-failure.ts';
import { readBody } from './response-body.ts';
import { header, heldFor, rateReport } from './response-headers.ts';
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

/** The path and query of a call; null if a segment would leave its place once a server has resolved it. */
function target(base: string, call: Call, key: string): string | null {
  if (call.path.some((segment) => /^\.{0,2}$/.test(segment))) return null;
  const query = new URLSearchParams(call.query);
  if (call.keyed) query.set('key', key);
  const path = `${base}/${call.path.map(encodeURIComponent).join('/')}`;
  return query.size === 0 ? path : `${path}?${query}`;
}

/** A shorter key is one for trying out, and may be a part of names. */
const KEY_LENGTH = 8;

/**
 * Takes the key out of what the service sends: an answer that repeats the address that was asked would else bring it
 * into the store, or onto a card that shows fields of any name.
 */
function keyRemover(key: string): (text: string) => string {
  if (key.length < KEY_LENGTH) return (text) => text;
  const plain = [key, encodeURIComponent(key), new URLSearchParams({ key }).toString().slice('key='.length)];
  const quoted = plain.flatMap((form) => {
    const inJson = JSON.stringify(form).slice(1, -1);
    return [form, inJson, inJson.replaceAll('/', '\\/')];
  });
  const forms = [...new Set(quoted)];
  return (text) => forms.reduce((cleaned, form) => cleaned.replaceAll(form, '…'), text);
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

  const withoutKey = keyRemover(key);
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
      const { statusCode: status, headers } = response;
      rate = rateReport(headers);
      const body = await readBody(response, withoutKey);
      const arrived = { status, rate, heldFor: heldFor(headers), body };
      if (call.keyed) return arrived;
      const unchanged = status === 304 ? files.kept(path) : null;
      if (unchanged !== null) return { ...arrived, status: 200, body: unchanged };
      const version = { etag: header(headers, 'etag'), modified: header(headers, 'last-modified') };
      if (status === 200) files.keep(path, version, body);
      return arrived;
    } catch (error) {
      throw requestFailure(limit.signal.aborted ? expired : error, call.endpoint, rate);
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
      const { value, asOf: statedAt } = classifyResponse(arrived, call, clock);
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
