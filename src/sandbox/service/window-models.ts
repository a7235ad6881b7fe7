/** The ways a server may count a key's requests; which one the real service uses is unknown. */
export const windowModels = ['fixed-epoch', 'fixed-first', 'sliding-log', 'gcra', 'gcra-twelfth'] as const;
export type WindowModel = (typeof windowModels)[number];

/** The result for one request. */
export interface Taken {
  readonly allowed: boolean;
  /** How many more requests would be allowed right now. */
  readonly remaining: number;
  /**
   * The reset in unix milliseconds as this model states it: the end of a fixed window; when the oldest request
   * leaves a sliding log; when a GCRA bucket is full again without further requests.
   */
  readonly reset: number;
  /** Milliseconds until a request would be allowed; 0 where this one was. */
  readonly retryAfter: number;
}

interface Window {
  /** Counts a request at `now` (unix milliseconds), unless it is refused. A clock set back stands still. */
  take(now: number): Taken;
}

/**
 * Depends only on the clock passed in.
 *
 * - `fixed-epoch`: consecutive windows since 1970; each allows `limit`.
 * - `fixed-first`: a window begins with the first request after the last one ended.
 * - `sliding-log`: no span of `windowMs` ever has more than `limit`.
 * - `gcra`: a bucket of `limit` requests that refills evenly; up to twice the limit fits into one window.
 * - `gcra-twelfth`: the same with a bucket of a twelfth of the limit.
 */
export function createWindow(model: WindowModel, limit: number, windowMs: number): Window {
  const judge = judges[model](limit, windowMs);
  let latest = Number.NEGATIVE_INFINITY;
  return {
    take(now) {
      latest = Math.max(latest, now);
      return judge(latest);
    },
  };
}

type Judge = (now: number) => Taken;

const judges: Record<WindowModel, (limit: number, windowMs: number) => Judge> = {
  'fixed-epoch': (limit, windowMs) => fixed(limit, windowMs, (now) => Math.floor(now / windowMs) * windowMs),
  'fixed-first': (limit, windowMs) => fixed(limit, windowMs, (now) => now),
  'sliding-log': slidingLog,
  gcra: (limit, windowMs) => gcra(limit, windowMs, limit),
  'gcra-twelfth': (limit, windowMs) => gcra(limit, windowMs, Math.max(1, Math.floor(limit / 12))),
};

function fixed(limit: number, windowMs: number, startOf: (now: number) => number): Judge {
  let start = Number.NEGATIVE_INFINITY;
  let count = 0;
  return (now) => {
    if (now >= start + windowMs) {
      start = startOf(now);
      count = 0;
    }
    const allowed = count < limit;
    if (allowed) count += 1;
    const reset = start + windowMs;
    return { allowed, remaining: limit - count, reset, retryAfter: allowed ? 0 : reset - now };
  };
}

function slidingLog(limit: number, windowMs: number): Judge {
  let log: number[] = [];
  return (now) => {
    log = log.filter((at) => at > now - windowMs);
    const allowed = log.length < limit;
    if (allowed) log.push(now);
    const reset = (log[0] ?? now) + windowMs;
    return { allowed, remaining: limit - log.length, reset, retryAfter: allowed ? 0 : reset - now };
  };
}

/**
 * The generic cell rate algorithm. Each request costs windowMs/limit milliseconds; the debt may reach `burst`
 * requests. Stored as milliseconds times `limit` since the first request: whole numbers, so nothing drifts.
 */
function gcra(limit: number, windowMs: number, burst: number): Judge {
  let origin: number | null = null;
  let paidUpTo = 0;
  return (now) => {
    origin ??= now;
    const time = (now - origin) * limit;
    const debt = Math.max(0, paidUpTo - time);
    const room = burst * windowMs;
    const allowed = debt + windowMs <= room;
    const owed = allowed ? debt + windowMs : debt;
    paidUpTo = time + owed;
    return {
      allowed,
      remaining: Math.floor((room - owed) / windowMs),
      reset: now + Math.ceil(owed / limit),
      retryAfter: allowed ? 0 : Math.ceil((owed + windowMs - room) / limit),
    };
  };
}
