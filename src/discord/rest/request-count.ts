import type { Clock } from '../../base/clock.ts';
import { SECOND } from '../../base/duration.ts';

/**
 * The requests that Discord may be counting towards its fifty a second: it counts each one when that arrives, which is some
 * time between when it leaves and its answer.
 */
export interface RequestCount {
  now(): number;
  /** Counts one that is made by this. Where it rejects, `isAnswer` says whether that was an answer all the same. */
  during<T>(request: () => Promise<T>, isAnswer?: (error: unknown) => boolean): Promise<T>;
}

/** A request without an answer may still be on its way, together with all that was sent since. */
const LOST = 10 * SECOND;

export function createRequestCount(clock: Pick<Clock, 'monotonic'>): RequestCount {
  let underWay = 0;
  /** Until when each of the others counts. */
  let over: readonly number[] = [];

  function end(counts: number): void {
    underWay -= 1;
    over = [...over, clock.monotonic() + counts];
  }

  return {
    now() {
      const now = clock.monotonic();
      if (over.some((until) => until <= now)) over = over.filter((until) => until > now);
      return underWay + over.length;
    },
    async during(request, isAnswer = () => false) {
      underWay += 1;
      try {
        const answer = await request();
        end(SECOND);
        return answer;
      } catch (error) {
        end(isAnswer(error) ? SECOND : LOST);
        throw error;
      }
    },
  };
}
