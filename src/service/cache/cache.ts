import { bounded } from '../../base/bounded.ts';
import { within } from '../../base/clock.ts';
import { ServiceError } from '../../base/errors.ts';
import type { Call, Fetched, Layer } from '../call.ts';
import { whyOld } from '../models/dated.ts';
import { createEntryStore, type Entry, type EntryStoreSettings, LAST_GOOD, UNKNOWN } from './entry-store.ts';

export interface CacheSettings extends EntryStoreSettings {
  /** Whether nothing that needs the key can be sent, since it could not be recorded: then the service is not slow. */
  readonly isStoreAway?: () => boolean;
  /** Called with a bug in a refresh that nobody waits for any more. */
  readonly onBug?: (error: unknown) => void;
}

/** There are four live files. */
const MOST_FILES = 16;
/** How long a person waits for a fresh record when there is an older one, in ms. */
const PATIENCE = 1500;

/**
 * Answers from earlier fetches, and falls back on the last good record when the service is slow, down or not to be
 * asked. Remembers for a minute that a name is unknown, and a keyless failure for as long as an answer. Keyless answers
 * never touch the store.
 */
export function createCache(settings: CacheSettings): (next: Layer) => Layer {
  const { clock, onBug, isStoreAway = () => false } = settings;
  const entries = createEntryStore(settings);
  /** Answers and failures already stored: callers that share a request get the same object. */
  const stored = new WeakSet<Fetched | ServiceError>();
  /** Of keyless calls: no budget slows down who repeats them while the service is down. */
  const failed = bounded<string, { readonly error: ServiceError; readonly at: number }>(MOST_FILES);

  /** Nobody waits for it: it never rejects, and memory has it at once. */
  function storeOnce(call: Call, result: Fetched | ServiceError, entry: Entry): void {
    if (stored.has(result)) return;
    stored.add(result);
    void entries.set(call, entry);
  }

  return (next) => {
    async function fetchAndStore(call: Call, before: Entry): Promise<Fetched> {
      const failure = failed.get(call.cacheKey);
      if (failure !== undefined && isWithin(clock.now() - failure.at, call.maxAge)) throw failure.error;
      try {
        const fetched = await next(call);
        const { body, asOf } = fetched;
        storeOnce(call, fetched, { answer: { body, asOf, fetchedAt: clock.now() }, unknownAt: null });
        return { ...fetched, rate: null };
      } catch (error) {
        if (isUnknown(error)) storeOnce(call, error, { ...before, unknownAt: clock.now() });
        if (!call.keyed && error instanceof ServiceError)
          failed.set(call.cacheKey, { error, at: clock.now() });
        throw error;
      }
    }

    return async (call) => {
      const entry = await entries.get(call, (known) => {
        const now = clock.now();
        return knowsNobody(known, now) || isFresh(known, call, now);
      });
      const now = clock.now();
      if (knowsNobody(entry, now)) throw unknown(call);
      const last = lastGood(entry, now);
      if (last !== null && isFresh(entry, call, now)) return { ...last, stale: null };

      const fetched = fetchAndStore(call, last === null ? { ...entry, answer: null } : entry);
      if (last === null) return fetched;
      try {
        const fresh = call.priority === 'interactive' ? await within(fetched, PATIENCE) : await fetched;
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

/** A clock set back makes ages negative; such an entry counts as old. */
function isWithin(age: number, limit: number): boolean {
  return age >= 0 && age < limit;
}

/** Whether the name was unknown a moment ago. */
function knowsNobody({ unknownAt }: Entry, now: number): boolean {
  return unknownAt !== null && isWithin(now - unknownAt, UNKNOWN);
}

/** Whether the answer need not be fetched again. */
function isFresh({ answer }: Entry, { maxAge }: Call, now: number): boolean {
  return answer !== null && isWithin(now - answer.fetchedAt, maxAge);
}

/** The older answer that may be shown instead of a new one. */
function lastGood({ answer }: Entry, now: number) {
  if (answer === null || !isWithin(now - answer.fetchedAt, LAST_GOOD)) return null;
  const { body, asOf } = answer;
  return { body, asOf, rate: null };
}

function unknown({ endpoint }: Call): ServiceError {
  return new ServiceError('not-found', { endpoint, sent: 'no', detail: 'asked lately' });
}

function isUnknown(error: unknown): error is ServiceError & { readonly fault: 'not-found' } {
  return error instanceof ServiceError && error.fault === 'not-found';
}
