import { type Clock, within } from '../base/clock.ts';
import { StartError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { START_PATIENCE, whileAway } from '../base/while-away.ts';
import { failureName } from './failure-name.ts';
import { isOutage } from './resend.ts';

/**
 * The first answer of Discord to a start, which waits for it as for the store; rejects with a {@link StartError} where
 * that has not helped. `ask` must be harmless to repeat.
 */
export async function reach<T>(
  ask: () => Promise<T>,
  { clock, log }: { readonly clock: Pick<Clock, 'monotonic' | 'after'>; readonly log: Log },
): Promise<T> {
  let why = 'no answer';
  const asking = whileAway(ask, {
    ...{ clock, isAway: isOutage },
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
