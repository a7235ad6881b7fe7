/** The limits of IDENTIFY: how many a day, and how many at once. */
import type { APIGatewaySessionStartLimit } from 'discord.js';

const DAY = 24 * 60 * 60_000;

interface SessionStartsOptions {
  /** IDENTIFYs allowed a day. */
  readonly total: number;
  /** Shards whose numbers differ modulo this may identify at the same time. */
  readonly maxConcurrency: number;
  /** The time in ms in which only one of the others may; 0: no limit. */
  readonly spacing: number;
  readonly now: () => number;
}

export interface SessionStarts {
  /** As `GET /gateway/bot` returns it. */
  readonly limit: APIGatewaySessionStartLimit;
  /** Counts an IDENTIFY. False: there was none left. */
  count(): boolean;
  /** Whether that shard may identify now; if so, it does. */
  begin(shardId: number): boolean;
}

export function createSessionStarts(options: SessionStartsOptions): SessionStarts {
  const { total, maxConcurrency, spacing, now } = options;
  /** By `shard_id % max_concurrency`. */
  const lastBegun = new Map<number, number>();
  let opened = Number.NEGATIVE_INFINITY;
  let used = 0;

  function isOver(): boolean {
    return now() - opened >= DAY;
  }

  return {
    get limit() {
      const fresh = isOver();
      return {
        total,
        remaining: fresh ? total : Math.max(0, total - used),
        reset_after: fresh ? 0 : opened + DAY - now(),
        max_concurrency: maxConcurrency,
      };
    },
    count() {
      if (isOver()) {
        opened = now();
        used = 0;
      }
      used += 1;
      return used <= total;
    },
    begin(shardId) {
      const key = shardId % maxConcurrency;
      if (now() - (lastBegun.get(key) ?? Number.NEGATIVE_INFINITY) < spacing) return false;
      lastBegun.set(key, now());
      return true;
    },
  };
}
