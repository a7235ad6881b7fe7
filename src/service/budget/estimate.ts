import { z } from 'zod';

/** How many requests the key may make in how many milliseconds. */
export const Limit = z.object({ requests: z.int().positive(), windowMs: z.number().positive() });
export type Limit = z.infer<typeof Limit>;

/** What a client key may do; other kinds of key differ, and their headers say so. */
export const CLIENT_KEY: Limit = { requests: 720, windowMs: 3_600_000 };

const fields = z.object({
  /** Numbers permits and answers in the order in which they happened. */
  seq: z.int(),
  limit: Limit,
  /** When a header last stated `limit`; null while it is only assumed. */
  limitSeenAt: z.number().nullable(),
  /**
   * A stricter limit that one answer has stated. It holds until `until`; it becomes the limit when the answer to a
   * request sent after `seenAt` states it, too.
   */
  trial: z.object({ limit: Limit, seenAt: z.number(), until: z.number() }).nullable().default(null),
  /** What the headers of one answer allow, and until when; null when nothing is known of the current window. */
  bound: z
    .object({
      /** `X-RateLimit-Remaining`; null where the answer did not say. */
      remaining: z.number().nullable(),
      /** The permit that the answer belongs to, and when it was taken. */
      permit: z.int(),
      takenAt: z.number(),
      at: z.number(),
      until: z.number(),
      /** When the window began that the service counted in; null where its reset is not known. */
      since: z.number().nullable(),
      /** Permits in force when it was stated, without those under way: what of ours the service had counted at most. */
      counted: z.int(),
    })
    .nullable(),
  /** The one request that may find out when nothing is known, and how long the others wait for it at most. */
  probe: z.object({ permit: z.int(), until: z.number() }).nullable(),
  /** What others have spent of this key, when it was last judged. */
  otherUsage: z.object({ amount: z.number(), at: z.number() }),
  /** The highest `Remaining` seen lately: a server with a small burst never shows the whole limit. */
  peak: z.object({ remaining: z.number(), at: z.number() }).nullable(),
  /** Whether the last reset brought back little of the limit, as where requests leave a sliding window one by one. */
  slides: z.boolean(),
  /** No request before this time. */
  closedUntil: z.number(),
  refusals: z.int().nonnegative(),
  /** Refusals since the service last answered anything else. */
  refusedInRow: z.int().nonnegative(),
});

/**
 * What is known of the key's budget beside the single permits. All times are the ledger's own, in milliseconds.
 * JSON in and out, as it is stored.
 */
export const QuotaEstimate = z.preprocess(renamed, fields);
export type QuotaEstimate = z.infer<typeof fields>;

/** A ledger written by an earlier version has `foreign` for `otherUsage`. */
function renamed(stored: unknown): unknown {
  if (typeof stored !== 'object' || stored === null || !('foreign' in stored)) return stored;
  const { foreign, ...rest } = stored;
  return { otherUsage: foreign, ...rest };
}

/** A ledger that starts with nothing. */
export function blankEstimate(now: number): QuotaEstimate {
  return {
    // Starting from the time keeps a permit of a lost ledger from being taken for one of the new ledger.
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

/** The limit to keep now: the known one, or the stricter one that is on trial. */
export function limitInForce({ limit, trial }: Pick<QuotaEstimate, 'limit' | 'trial'>, now: number): Limit {
  return trial !== null && trial.until > now ? trial.limit : limit;
}

/** What others use as it stands now: it fades over one window, as the requests behind it do. */
export function otherUsageAt(
  { otherUsage, limit }: Pick<QuotaEstimate, 'otherUsage' | 'limit'>,
  now: number,
): number {
  const age = Math.max(0, now - otherUsage.at);
  return otherUsage.amount * Math.max(0, 1 - age / limit.windowMs);
}

/** What is known of the server's current window, or null: then one request has to find out. */
export function currentBound({ bound }: QuotaEstimate, now: number): QuotaEstimate['bound'] {
  return bound !== null && bound.until > now ? bound : null;
}
