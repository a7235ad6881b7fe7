import { type Clock, systemClock } from '../base/clock.ts';
import { SECOND } from '../base/duration.ts';

/**
 * The requests that Discord may be counting towards its fifty a second: each from when it leaves until a second after its
 * answer, since it counts when it arrives, and some are held up on their way there.
 */
export interface RequestCount {
  now(): number;
  /** Counts one that is made by this. */
  during<T>(request: () => Promise<T>): Promise<T>;
}

export function createRequestCount(clock: Pick<Clock, 'monotonic'> = systemClock): RequestCount {
  let underWay = 0;
  /** When those of the last second were answered, oldest first. */
  let answered: readonly number[] = [];

  function lately(): readonly number[] {
    const since = clock.monotonic() - SECOND;
    const [oldest] = answered;
    if (oldest !== undefined && oldest <= since) answered = answered.filter((at) => at > since);
    return answered;
  }

  return {
    now: () => underWay + lately().length,
    async during(request) {
      underWay += 1;
      try {
        return await request();
      } finally {
        underWay -= 1;
        answered = [...lately(), clock.monotonic()];
      }
    },
  };
}
