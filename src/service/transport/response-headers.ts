import { readHttpDate } from '../../base/calendar.ts';
import type { RateReport } from '../../base/errors.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** The first value of a header; null where there is none. */
export function headerOf(headers: Headers, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

function numberIn(text: string | null | undefined): number | null {
  if (text === null || text === undefined || !/^\s*-?\d+(\.\d+)?\s*$/.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

/** `X-RateLimit-Limit: 720/3600`, its `Remaining` and `Reset`, and `Retry-After` in either form. */
export function rateReport(headers: Headers): RateReport {
  const [limit, windowSeconds] = (headerOf(headers, 'x-ratelimit-limit') ?? '').split('/');
  const date = readHttpDate(headerOf(headers, 'date'));
  const retryAfter = headerOf(headers, 'retry-after');
  const retryDate = numberIn(retryAfter) === null ? readHttpDate(retryAfter) : null;
  return {
    limit: numberIn(limit),
    windowSeconds: numberIn(windowSeconds),
    remaining: numberIn(headerOf(headers, 'x-ratelimit-remaining')),
    reset: numberIn(headerOf(headers, 'x-ratelimit-reset')),
    date,
    retryAfter: retryDate === null ? numberIn(retryAfter) : date === null ? null : (retryDate - date) / 1000,
  };
}

/** Longest age that is believed. A larger number would date the answer before any plausible time. */
const MAX_AGE_SECONDS = 366 * 86_400;

/** Returns the time for which an intermediary cached the answer (`Age`), in ms. */
export function heldFor(headers: Headers): number {
  return 1000 * Math.min(MAX_AGE_SECONDS, Math.max(0, numberIn(headerOf(headers, 'age')) ?? 0));
}
