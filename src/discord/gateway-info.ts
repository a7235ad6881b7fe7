import { type REST, Routes } from 'discord.js';
import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { MINUTE } from '../base/duration.ts';

/** What `GET /gateway/bot` says. */
export interface GatewayInfo {
  /** How many shards Discord recommends. */
  readonly shards: number;
  /** Identifies that may be sent at once, each in its own bucket. */
  readonly concurrency: number;
  /** Identifies left until the reset. */
  readonly remaining: number;
  /** Milliseconds until there are as many as in the beginning. */
  readonly resetIn: number;
}

const Answer = z.looseObject({
  shards: z.int().min(1),
  session_start_limit: z.object({
    remaining: z.int(),
    // Milliseconds.
    reset_after: z.number(),
    max_concurrency: z.int().min(1),
  }),
});

/** How long an answer is used, in ms: with sixteen shards each client would ask for itself. */
const FRESH = MINUTE;

/**
 * Asks at most once a minute, and answers the same question of discord.js's clients, too. Where Discord cannot be
 * asked, the last answer holds; rejects where there is none.
 */
export function createGatewayInfo(rest: REST, clock: Pick<Clock, 'monotonic'>): () => Promise<GatewayInfo> {
  const ask = rest.get.bind(rest);
  let last: { readonly at: number; readonly answer: z.output<typeof Answer> } | null = null;
  let asking: Promise<void> | null = null;

  async function learn(): Promise<void> {
    const at = clock.monotonic();
    try {
      last = { at, answer: Answer.parse(await ask(Routes.gatewayBot())) };
    } catch (error) {
      if (last === null) throw error;
    } finally {
      asking = null;
    }
  }

  async function read(): Promise<NonNullable<typeof last>> {
    if (last !== null && clock.monotonic() - last.at <= FRESH) return last;
    asking ??= learn();
    await asking;
    return last ?? read();
  }

  rest.get = async (route, options) =>
    route === Routes.gatewayBot() ? (await read()).answer : ask(route, options);
  return async () => {
    const { at, answer } = await read();
    const { remaining, reset_after, max_concurrency } = answer.session_start_limit;
    const resetIn = Math.max(0, reset_after - (clock.monotonic() - at));
    return { shards: answer.shards, concurrency: max_concurrency, remaining, resetIn };
  };
}
