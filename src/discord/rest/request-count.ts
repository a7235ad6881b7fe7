import type { Clock } from '../../base/clock.ts';
import { SECOND } from '../../base/duration.ts';

export type RequestCount = ReturnType<typeof createRequestCount>;

/** `limited`: held back or refused for a limit of Discord. `lost`: no answer that says whether Discord has taken it. */
export type RequestResult = 'ok' | 'unauthorised' | 'limited' | 'refused' | 'failed' | 'lost';

/** A request without an answer may still be on its way, together with all that was sent since. */
const LOST_AFTER_MS = 10 * SECOND;
const OK = 200;

/**
 * The requests that Discord may be counting towards its fifty a second: it counts each one when that arrives, which is some
 * time between when it leaves and its answer. `ended`: called with the result of each.
 */
export function createRequestCount(
  clock: Pick<Clock, 'monotonic'>,
  ended: (result: RequestResult) => void = () => {},
) {
  const results = new Map<RequestResult, number>();
  let underWay = 0;
  /** Until when each of the others counts. */
  let countedUntil: readonly number[] = [];

  /** `status`: HTTP status of the answer; null: none came. */
  function end(status: number | null): void {
    underWay -= 1;
    countedUntil = [...countedUntil, clock.monotonic() + (status === null ? LOST_AFTER_MS : SECOND)];
    const result = resultOf(status);
    results.set(result, (results.get(result) ?? 0) + 1);
    ended(result);
  }

  return {
    /** How many requests have ended in each way since the start. */
    results,
    now(): number {
      const now = clock.monotonic();
      if (countedUntil.some((until) => until <= now))
        countedUntil = countedUntil.filter((until) => until > now);
      return underWay + countedUntil.length;
    },
    /**
     * Counts one that is made by this. Where it rejects, `refusalOf` says the HTTP status if that was an answer all the same.
     */
    async during<T>(
      request: () => Promise<T>,
      {
        statusOf = () => OK,
        refusalOf = () => null,
      }: {
        readonly statusOf?: (answer: T) => number;
        readonly refusalOf?: (error: unknown) => number | null;
      } = {},
    ): Promise<T> {
      underWay += 1;
      try {
        const answer = await request();
        end(statusOf(answer));
        return answer;
      } catch (error) {
        end(refusalOf(error));
        throw error;
      }
    },
  };
}

function resultOf(status: number | null): RequestResult {
  if (status === null) return 'lost';
  if (status >= 500) return 'failed';
  if (status === 401) return 'unauthorised';
  if (status === 429) return 'limited';
  return status >= 400 ? 'refused' : 'ok';
}
