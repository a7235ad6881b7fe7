import type { Clock } from '../../base/clock.ts';
import { SECOND } from '../../base/duration.ts';

export type RequestCount = ReturnType<typeof createRequestCount>;

/** A request without an answer may still be on its way, together with all that was sent since. */
const LOST_AFTER_MS = 10 * SECOND;

/**
 * The requests that Discord may be counting towards its fifty a second: it counts each one when that arrives, which is some
 * time between when it leaves and its answer.
 */
export function createRequestCount(clock: Pick<Clock, 'monotonic'>) {
  let underWay = 0;
  /** Until when each of the others counts. */
  let countedUntil: readonly number[] = [];

  function end(counts: number): void {
    underWay -= 1;
    countedUntil = [...countedUntil, clock.monotonic() + counts];
  }

  return {
    now(): number {
      const now = clock.monotonic();
      if (countedUntil.some((until) => until <= now))
        countedUntil = countedUntil.filter((until) => until > now);
      return underWay + countedUntil.length;
    },
    /** Counts one that is made by this. Where it rejects, `isAnswer` says whether that was an answer all the same. */
    async during<T>(
      request: () => Promise<T>,
      isAnswer: (error: unknown) => boolean = () => false,
    ): Promise<T> {
      underWay += 1;
      try {
        const answer = await request();
        end(SECOND);
        return answer;
      } catch (error) {
        end(isAnswer(error) ? SECOND : LOST_AFTER_MS);
        throw error;
      }
    },
  };
}
