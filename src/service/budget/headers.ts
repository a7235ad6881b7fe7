/**
 * Validates rate-limit headers. Each may be absent or absurd (in a published sample, Reset lies three hours before
 * the response's own Date); an absurd value counts as absent.
 */
import { MINUTE } from '../../base/duration.ts';
import type { RateReport } from '../../base/errors.ts';
import type { Limit } from './estimate.ts';

/** Limits beyond any real key. A larger number is a mistake, and must not let everything pass. */
const MAX_REQUESTS = 100_000;
const MAX_WINDOW_SECONDS = 7 * 86_400;
/** Reset and Date are both truncated to whole seconds. */
const ROUNDING_MS = 1000;

function integerWithin(value: number | null, from: number, to: number): number | null {
  return value !== null && Number.isInteger(value) && value >= from && value <= to ? value : null;
}

/** `X-RateLimit-Limit`; null unless it is plausible. */
export function statedLimit(rate: RateReport): Limit | null {
  const requests = integerWithin(rate.limit, 1, MAX_REQUESTS);
  const seconds = integerWithin(rate.windowSeconds, 1, MAX_WINDOW_SECONDS);
  return requests === null || seconds === null ? null : { requests, windowMs: seconds * 1000 };
}

/** `X-RateLimit-Remaining`; null unless the limit can leave that many. */
export function statedRemaining(rate: RateReport, limit: Limit): number | null {
  return integerWithin(rate.remaining, 0, limit.requests);
}

/**
 * Milliseconds until the reset, by the response's own Date, so that our clock does not matter. Null where it is in
 * the past or more than one window ahead.
 */
export function untilReset(rate: RateReport, limit: Limit): number | null {
  if (rate.reset === null || rate.date === null) return null;
  const msAhead = rate.reset * 1000 - rate.date;
  return msAhead > 0 && msAhead <= limit.windowMs + ROUNDING_MS ? msAhead + ROUNDING_MS : null;
}

/**
 * For how many milliseconds a refusal asks for silence: Retry-After, else until the reset, else `unstatedMs`. A reset says
 * nothing where Remaining denies that its window is spent.
 */
export function refusalPause(rate: RateReport | null, limit: Limit, unstatedMs = MINUTE): number {
  if (rate === null) return unstatedMs;
  const after = (rate.retryAfter ?? Number.NaN) * 1000;
  if (after >= 1000 && after <= limit.windowMs) return after;
  const isDenied = rate.remaining !== null && rate.remaining > 0;
  return (isDenied ? null : untilReset(rate, limit)) ?? unstatedMs;
}
