/** The rate-limit headers of one response as numbers, unjudged: any of them may be absurd (field notes §2). */
export interface RateReport {
  /** Requests and seconds of `X-RateLimit-Limit: 720/3600`. */
  readonly limit: number | null;
  readonly windowSeconds: number | null;
  readonly remaining: number | null;
  /** Unix seconds. */
  readonly reset: number | null;
  /** Unix milliseconds: the response's own `Date`. */
  readonly date: number | null;
  /** Seconds. */
  readonly retryAfter: number | null;
}
