import { type Clock, resolveWithin } from '../../base/clock.ts';
import { ServiceError } from '../../base/errors.ts';
import type { Layer } from '../call.ts';
import { whyOld } from '../models/dated.ts';
import { createDeduplicate } from './deduplicate.ts';
import { createEntries, type EntriesSettings, knownAnswer, lastGood } from './entries.ts';
import { createFetchAndStore } from './fetch-and-store.ts';

export interface CacheSettings extends EntriesSettings {
  readonly clock: Clock;
  /** Nothing that needs the key can be sent, since it could not be recorded: then the service is not slow. */
  readonly isStoreAway?: () => boolean;
  /** Called with a bug in a refresh that nobody waits for any more. */
  readonly onBug?: (error: unknown) => void;
}

/** Longest wait of a person for a fresh record when there is an older one. */
const FRESH_TIMEOUT_MS = 1500;

/**
 * Answers from earlier fetches, and falls back on the last good record when the service is slow, down or not to be
 * asked. Of identical calls of a process that have to be made, one is. Remembers for a minute that a name is unknown, and a keyless
 * failure for as long as an answer. Keyless answers never touch the store.
 */
export function createCache(settings: CacheSettings): (next: Layer) => Layer {
  const { clock, onBug, isStoreAway = () => false } = settings;
  const entries = createEntries(settings);
  const fetchAndStore = createFetchAndStore({ entries, clock });

  return (next) => {
    const fetch = createDeduplicate(fetchAndStore(next));

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
        if (!(error instanceof ServiceError) || isUnknown(error)) throw error;
        return { ...last, stale: whyOld(error) };
      }
    };
  };
}

function isUnknown(error: ServiceError): error is ServiceError & { readonly fault: 'not-found' } {
  return error.fault === 'not-found';
}
