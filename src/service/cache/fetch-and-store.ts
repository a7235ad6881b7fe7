import { createBoundedMap } from '../../base/bounded.ts';
import type { Clock } from '../../base/clock.ts';
import { ServiceError } from '../../base/errors.ts';
import type { Call, Layer } from '../call.ts';
import { type Entries, isWithin } from './entries.ts';

/** There are four live files. */
const MAX_FILES = 16;

/** Makes a call and stores what it learns, so that other processes can read it. */
export function createFetchAndStore({
  entries,
  clock,
}: {
  readonly entries: Pick<Entries, 'set'>;
  readonly clock: Pick<Clock, 'now'>;
}): (next: Layer) => Layer {
  /** Failures of keyless calls: no budget slows down callers who repeat them while the service is down. */
  const failed = createBoundedMap<string, { readonly error: ServiceError; readonly at: number }>(MAX_FILES);

  return (next) => async (call) => {
    const failure = failed.get(call.cacheKey);
    if (failure !== undefined && isWithin(clock.now() - failure.at, waitAfter(failure, call)))
      throw failure.error;
    try {
      const { body, asOf, stale } = await next(call);
      // Nobody waits for it: it never rejects, and memory has it at once.
      void entries.set(call, { answer: { body, asOf, fetchedAt: clock.now() }, unknownAt: null });
      return { body, asOf, stale, rate: null };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.fault === 'not-found') void entries.set(call, { unknownAt: clock.now() });
      if (!call.keyed) failed.set(call.cacheKey, { error, at: clock.now() });
      throw error;
    }
  };
}

/** How long a keyless failure answers for the service, in ms: as long as an answer, or as the service asks for. */
function waitAfter(
  { error, at }: { readonly error: ServiceError; readonly at: number },
  { maxAge }: Call,
): number {
  return Math.max(maxAge, (error.retryAt ?? at) - at);
}
