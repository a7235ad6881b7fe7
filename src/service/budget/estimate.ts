import { z } from 'zod';
import { HOUR } from '../../base/duration.ts';

/** How many requests the key may make in how many milliseconds. */
export const Limit = z.object({ requests: z.int().positive(), windowMs: z.number().positive() });
export type Limit = z.infer<typeof Limit>;

/** The limit of a client key. Other kinds of key differ, and their headers say so. */
export const CLIENT_KEY: Limit = { requests: 720, windowMs: HOUR };

/**
 * Estimate of the key's budget beyond the individual permits. All times are the ledger's own, in milliseconds.
 * Stored as JSON in this form.
 */
export const QuotaEstimate = z.object({
  /** Orders permits and answers. */
  seq: z.int(),
  limit: Limit,
  /** When a header last stated `limit`; null while it is an assumption. */
  limitSeenAt: z.number().nullable(),
  /**
   * A stricter limit stated by one answer. It holds until `until`, and becomes the limit when the answer to a
   * request sent after `seenAt` states it too.
   */
  trial: z.object({ limit: Limit, seenAt: z.number(), until: z.number() }).nullable(),
  /** Requests that the headers of one answer allow, and until when; null when the current window is unknown. */
  bound: z
    .object({
      /** `X-RateLimit-Remaining`; null where the answer did not say. */
      remaining: z.number().nullable(),
      /** The permit of that request, and when it was taken. */
      permit: z.int(),
      takenAt: z.number(),
      at: z.number(),
      until: z.number(),
      /** When the service's window began; null where its reset is not known. */
      since: z.number().nullable(),
      /**
       * Permits in force at that time, without those under way: the most of ours that the service can have counted.
       */
      counted: z.int(),
      /**
       * Set while this answer alone says that next to nothing is left. From `at` on one request may check that,
       * although the bound leaves nothing. `afterReset`: the answer was the first after a reset. Estimates of earlier
       * versions have no such field.
       */
      check: z.object({ at: z.number(), afterReset: z.boolean() }).nullable().default(null),
    })
    .nullable(),
  /** The one request that finds out how much is left, and how long the others wait for it at most. */
  probe: z.object({ permit: z.int(), until: z.number() }).nullable(),
  /** Use of this key by others, at the last estimate. */
  otherUsage: z.object({ amount: z.number(), at: z.number() }),
  /** The highest `Remaining` seen lately: a server with a small burst never shows the whole limit. */
  peak: z.object({ remaining: z.number(), at: z.number() }).nullable(),
  /** The last reset freed little of the limit, as in a sliding window, where requests expire one by one. */
  slides: z.boolean(),
  /** No request before this time. */
  closedUntil: z.number(),
  refusals: z.int().nonnegative(),
  /** Refusals since the service last answered anything else. */
  refusedInRow: z.int().nonnegative(),
});
export type QuotaEstimate = z.infer<typeof QuotaEstimate>;

export function blankEstimate(now: number): QuotaEstimate {
  return {
    // Starting from the time keeps a permit of a lost ledger from being mistaken for one of the new ledger.
    seq: Math.floor(now),
    limit: CLIENT_KEY,
    limitSeenAt: null,
    trial: null,
    bound: null,
    probe: null,
    otherUsage: { amount: 0, at: now },
    peak: null,
    slides: false,
    closedUntil: 0,
    refusals: 0,
    refusedInRow: 0,
  };
}

/** The limit to obey now: the known one, or the stricter one on trial. */
export function limitInForce({ limit, trial }: Pick<QuotaEstimate, 'limit' | 'trial'>, now: number): Limit {
  return trial !== null && trial.until > now ? trial.limit : limit;
}

/** Use of the key by others now. It fades to zero over one window, as their requests expire. */
export function otherUsageAt(
  { otherUsage, limit }: Pick<QuotaEstimate, 'otherUsage' | 'limit'>,
  now: number,
): number {
  const age = Math.max(0, now - otherUsage.at);
  return otherUsage.amount * Math.max(0, 1 - age / limit.windowMs);
}

/** Bound of the service's current window; null: one request has to find out. */
export function currentBound({ bound }: QuotaEstimate, now: number): QuotaEstimate['bound'] {
  return bound !== null && bound.until > now ? bound : null;
}
