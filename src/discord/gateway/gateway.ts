import { type IIdentifyThrottler, type RESTOptions, Routes, SimpleIdentifyThrottler } from 'discord.js';
import { Response } from 'undici';
import { z } from 'zod';
import { type Clock, resolveWithin, sleep } from '../../base/clock.ts';
import { MINUTE, SECOND } from '../../base/duration.ts';
import { StartError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { retryWhileAway, START_TIMEOUT_MS } from '../../base/retry-while-away.ts';
import { createTtlMemo } from '../../base/ttl-memo.ts';
import { failureName, isOutage } from '../rest/resend.ts';
import type { Rest } from '../rest/rest-client.ts';

/** The logins that Discord allows the bot. */
interface SessionLimits {
  /** Discord's `max_concurrency`: how many shards may log in at a time. */
  readonly concurrency: number;
  /** Logins left until the reset. */
  readonly remaining: number;
  /** Milliseconds until there are as many as in the beginning. */
  readonly resetIn: number;
}

const Answer = z.object({
  url: z.string(),
  shards: z.int().min(1),
  session_start_limit: z.object({
    total: z.int(),
    remaining: z.int(),
    // Milliseconds.
    reset_after: z.number(),
    max_concurrency: z.int().min(1),
  }),
});

/**
 * Asks at most once a minute: with sixteen shards each would ask for itself. Where Discord cannot be asked, the last answer
 * holds; the first one is waited for.
 */
export function createGateway(
  rest: Pick<Rest, 'get'>,
  { clock, log }: { readonly clock: Pick<Clock, 'monotonic' | 'after'>; readonly log: Log },
) {
  const fresh = createTtlMemo<'gateway', Awaited<ReturnType<typeof learn>>>(clock, MINUTE, 1);
  let last: Awaited<ReturnType<typeof learn>> | null = null;

  async function learn() {
    const at = clock.monotonic();
    return { at, answer: Answer.parse(await rest.get(Routes.gatewayBot())) };
  }

  /**
   * The first answers of Discord to a start, which waits for them as for the store; rejects with a {@link StartError} where
   * that has not helped.
   */
  async function reach<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    let why = 'no answer';
    const asking = retryWhileAway(ask, {
      clock,
      isAway: isOutage,
      onFirstFailure(error) {
        why = failureName(error);
        log.warn({ why }, 'Discord cannot be reached; the start waits');
      },
    }).catch((error: unknown) => {
      if (isOutage(error)) return null;
      throw error;
    });
    const answer = await resolveWithin(asking, START_TIMEOUT_MS, clock);
    if (answer !== null) return answer;
    throw new StartError(`Discord cannot be reached (${why}); check the network of this machine`, {
      mayPass: true,
    });
  }

  async function read(): ReturnType<typeof learn> {
    const lastGateway = last;
    const request = fresh.get('gateway', lastGateway === null ? () => reach(learn) : learn);
    last = await (lastGateway === null ? request : request.catch(() => lastGateway));
    return last;
  }

  return {
    reach,
    /** Rejects if Discord has never answered. */
    answer: async (): Promise<unknown> => (await read()).answer,
    /** Answers a client's request for the gateway's address, the only one that it makes. */
    makeRequest: (async () => {
      const { answer } = await read();
      const { total } = answer.session_start_limit;
      // Logins wait until there are enough. The library would connect no shard if there were fewer than shards.
      const session_start_limit = { ...answer.session_start_limit, remaining: total };
      return Response.json({ ...answer, session_start_limit });
    }) satisfies RESTOptions['makeRequest'],
    /**
     * `shards`: how many Discord recommends. `crashPauseMs`: how long a start after a crash waits, so that the logins that are
     * left last until the reset.
     */
    async info(): Promise<SessionLimits & { readonly shards: number; readonly crashPauseMs: number }> {
      const { at, answer } = await read();
      const { shards } = answer;
      const { remaining, reset_after, max_concurrency } = answer.session_start_limit;
      const resetIn = Math.max(0, reset_after - (clock.monotonic() - at));
      const starts = Math.max(1, (remaining - RESERVED_LOGINS) / shards);
      const crashPauseMs = remaining < SCARCE_LOGINS ? resetIn / starts : 0;
      return { shards, concurrency: max_concurrency, remaining, resetIn, crashPauseMs };
    },
  };
}

/** Logins that are never spent: Discord resets the token of a bot that logs in too often. */
const RESERVED_LOGINS = 20;
/** Logins below which those of starts after crashes are spaced. */
const SCARCE_LOGINS = 200;
/** Shortest wait until Discord is asked again, in ms. */
const MIN_RETRY_MS = MINUTE;

/** Spaces the logins of all shards of this process as Discord wants it, and waits while too few of the day are left. */
export function createThrottler(
  gateway: Pick<ReturnType<typeof createGateway>, 'info'>,
  { clock, log }: { readonly clock: Pick<Clock, 'after'>; readonly log: Log },
): IIdentifyThrottler {
  let shared: SimpleIdentifyThrottler | null = null;
  return {
    async waitForIdentify(id, signal) {
      for (;;) {
        const { concurrency, remaining, resetIn } = await gateway.info();
        shared ??= new SimpleIdentifyThrottler(concurrency);
        if (remaining > RESERVED_LOGINS) return shared.waitForIdentify(id, signal);
        const wait = Math.max(MIN_RETRY_MS, resetIn);
        log.warn(
          { shard: id, seconds: Math.ceil(wait / SECOND) },
          'login to Discord waits: too few are left today',
        );
        await sleep(clock, wait, signal);
      }
    },
  };
}
