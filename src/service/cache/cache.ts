import { createBoundedMap } from '../../base/bounded.ts';
import { type Clock, resolveWithin } from '../../base/clock.ts';
import { ServiceError } from '../../base/errors.ts';
import type { Call, Layer } from '../call.ts';
import { whyOld } from '../models/dated.ts';
import { createDeduplicate } from './deduplicate.ts';
import { createEntries, type EntriesSettings, isWithin, knownAnswer, lastGood } from './entries.ts';

export interface CacheSettings extends EntriesSettings {
  readonly clock: Clock;
  /** Nothing that needs the key can be sent, since it could not be recorded: then the service is not slow. */
  readonly isStoreAway?: () => boolean;
  /** Called with a bug in a refresh that nobody waits for any more. */
  readonly onBug?: (error: unknown) => void;
}

/** Longest wait of a person for a fresh record when there is an older one. */
const FRESH_TIMEOUT_MS = 1500;
/** There are four live files. */
const MAX_FILES = 16;

interface Failure {
  readonly error: ServiceError;
  /** Unix milliseconds. */
  readonly at: number;
}

/**
 * Answers from earlier fetches, and falls back on the last good record when the service is slow, down or not to be
 * asked. Of identical calls of a process that have to be made, one is. Remembers for a minute that a name is unknown, and a keyless
 * failure for as long as an answer. Keyless answers never touch the store.
 */
export function createCache(settings: CacheSettings): (next: Layer) => Layer {
  const { clock, onBug, isStoreAway = () => false } = settings;
  const entries = createEntries(settings);
  /** Failures of keyless calls: no budget slows down callers who repeat them while the service is down. */
  const failed = createBoundedMap<string, Failure>(MAX_FILES);

  return (next) => {
    /** Makes a call and stores what it learns, so that other processes can read it. */
    const fetch = createDeduplicate(async (call) => {
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
    });

    return async (call) => {
      const entry = await entries.get(call);
      const now = clock.now();
      const cachedAnswer = knownAnswer(entry, call, now);
      if (cachedAnswer !== null) return cachedAnswer;

      const last = lastGood(entry, now);
      const fetched = fetch(call);
      if (last === null) return fetched;
      try {
        const fresh =
          call.priority === 'interactive'
            ? await resolveWithin(fetched, FRESH_TIMEOUT_MS, clock)
            : await fetched;
        if (fresh !== null) return fresh;
        fetched.catch((error: unknown) => {
          if (!(error instanceof ServiceError)) onBug?.(error);
        });
        return { ...last, stale: call.keyed && isStoreAway() ? 'store-away' : 'slow' };
      } catch (error) {
        if (!(error instanceof ServiceError) || error.fault === 'not-found') throw error;
        return { ...last, stale: whyOld(error) };
      }
    };
  };
}

/** How long a keyless failure answers for the service, in ms: as long as an answer, or as the service asks for. */
function waitAfter({ error, at }: Failure, { maxAge }: Call): number {
  return Math.max(maxAge, (error.retryAt ?? at) - at);
}
