import { type APIGatewayBotInfo, Routes } from 'discord.js';
import { z } from 'zod';
import { type Clock, within } from '../../base/clock.ts';
import { MINUTE } from '../../base/duration.ts';
import { StartError } from '../../base/errors.ts';
import { createLately } from '../../base/lately.ts';
import type { Log } from '../../base/log.ts';
import { START_PATIENCE, whileAway } from '../../base/while-away.ts';
import type { SessionLimits } from '../../shards/connect-shards.ts';
import { failureName, isOutage } from '../rest/resend.ts';
import type { Rest } from '../rest/rest-client.ts';

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
  const fresh = createLately<'gateway', Awaited<ReturnType<typeof learn>>>(clock, MINUTE, 1);
  let last: Awaited<ReturnType<typeof learn>> | null = null;

  async function learn() {
    const at = clock.monotonic();
    return { at, answer: Answer.parse(await rest.get(Routes.gatewayBot())) };
  }

  /**
   * The first answer of Discord to a start, which waits for it as for the store; rejects with a {@link StartError} where
   * that has not helped.
   */
  async function reach(): ReturnType<typeof learn> {
    let why = 'no answer';
    const asking = whileAway(learn, {
      clock,
      isAway: isOutage,
      waiting(error) {
        why = failureName(error);
        log.warn({ why }, 'Discord cannot be reached; the start waits');
      },
    }).catch((error: unknown) => {
      if (isOutage(error)) return null;
      throw error;
    });
    const answer = await within(asking, START_PATIENCE, clock);
    if (answer !== null) return answer;
    throw new StartError(`Discord cannot be reached (${why}); check the network of this machine`, {
      mayPass: true,
    });
  }

  async function read(): ReturnType<typeof learn> {
    const before = last;
    const asked = fresh.of('gateway', before === null ? reach : learn);
    last = await (before === null ? asked : asked.catch(() => before));
    return last;
  }

  return {
    /** As Discord has sent it. */
    answer: async (): Promise<APIGatewayBotInfo> => (await read()).answer,
    /** `shards`: how many Discord recommends. */
    async info(): Promise<SessionLimits & { readonly shards: number }> {
      const { at, answer } = await read();
      const { remaining, reset_after, max_concurrency } = answer.session_start_limit;
      const resetIn = Math.max(0, reset_after - (clock.monotonic() - at));
      return { shards: answer.shards, concurrency: max_concurrency, remaining, resetIn };
    },
  };
}
