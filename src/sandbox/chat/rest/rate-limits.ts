/** Rate limits per route, with the headers that clients obey. */
import { createHash } from 'node:crypto';
import { ApiError } from '../api-error.ts';

/** `limit` requests per `window` ms, counted per route and per channel or webhook. */
export interface Rate {
  readonly limit: number;
  readonly window: number;
}

/** About five edits in five seconds per channel is documented; the other figures are commonly known. */
export const RATES = {
  send: { limit: 5, window: 5000 },
  edit: { limit: 5, window: 5000 },
  remove: { limit: 5, window: 1000 },
  read: { limit: 5, window: 1000 },
  webhook: { limit: 5, window: 2000 },
  commands: { limit: 5, window: 20_000 },
  /** Limit of a channel's name and topic together. */
  topic: { limit: 2, window: 600_000 },
} as const satisfies Record<string, Rate>;

/** Requests per second over all routes, except interaction callbacks. */
const GLOBAL: Rate = { limit: 50, window: 1000 };

interface Bucket {
  opened: number;
  used: number;
}

export interface RateLimits {
  /** Counts one request; returns its response headers. Throws a 429 when none is left. */
  take(rate: Rate, route: string, major: string): Readonly<Record<string, string>>;
  /** Counts one request against the global limit. */
  takeGlobal(): void;
}

/** A 429 as Discord sends it: seconds in the body and in `Retry-After`. */
export function tooMany(
  retryAfter: number,
  more: { readonly global?: boolean; readonly code?: number; readonly message?: string } = {},
  headers: Readonly<Record<string, string>> = {},
): ApiError {
  const seconds = Math.max(0.001, retryAfter / 1000);
  const { global = false, code = 0, message = 'You are being rate limited.' } = more;
  return new ApiError(
    429,
    code,
    message,
    { retry_after: seconds, global },
    {
      'Retry-After': String(seconds),
      'X-RateLimit-Scope': global ? 'global' : 'user',
      ...(global && { 'X-RateLimit-Global': 'true' }),
      ...headers,
    },
  );
}

export function createRateLimits(now: () => number): RateLimits {
  const buckets = new Map<string, Bucket>();

  /** The bucket after one more request, or the milliseconds until there is room. */
  function count({ limit, window }: Rate, key: string): { left: number; reset: number; full: boolean } {
    const at = now();
    let bucket = buckets.get(key);
    if (bucket === undefined || at - bucket.opened >= window || at < bucket.opened) {
      bucket = { opened: at, used: 0 };
      buckets.set(key, bucket);
    }
    const full = bucket.used >= limit;
    if (!full) bucket.used += 1;
    return { left: limit - bucket.used, reset: bucket.opened + window - at, full };
  }

  return {
    take(rate, route, major) {
      const { left, reset, full } = count(rate, `${route} ${major}`);
      const headers = {
        'X-RateLimit-Limit': String(rate.limit),
        'X-RateLimit-Remaining': String(left),
        'X-RateLimit-Reset': String((now() + reset) / 1000),
        'X-RateLimit-Reset-After': String(reset / 1000),
        'X-RateLimit-Bucket': createHash('md5').update(route).digest('hex'),
      };
      if (full) throw tooMany(reset, {}, headers);
      return headers;
    },
    takeGlobal() {
      const { reset, full } = count(GLOBAL, 'global');
      if (full) throw tooMany(reset, { global: true });
    },
  };
}
