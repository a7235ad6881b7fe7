import { within } from '../../clock.ts';
import { ServiceError } from '../../errors.ts';
import type { Call, Fetched, Layer } from '../call.ts';
import { createEntryStore, type Entry, type EntryStoreSettings, LAST_GOOD, UNKNOWN } from './entry-store.ts';

export interface CacheSettings extends EntryStoreSettings {
  /** Told of a bug in a refresh that nobody waits for any more. */
  readonly onBug?: (error: unknown) => void;
}

/** Milliseconds that a person waits for a fresh record while there is an older one. */
const PATIENCE = 1500;

/**
 * Answers from what was fetched before, and has the last good record ready when the service is slow, down or not to
 * be asked. Remembers for a moment that a name is unknown. What needs no key never touches the store.
 */
export function createCache(settings: CacheSettings): (next: Layer) => Layer {
  const { clock, onBug } = settings;
  const entries = createEntryStore(settings);
  /** Answers and failures that were kept: those who asked together are told the same one. */
  const kept = new WeakSet<Fetched | ServiceError>();

  async function keep(call: Call, told: Fetched | ServiceError, entry: Entry): Promise<void> {
    if (kept.has(told)) return;
    kept.add(told);
    await entries.set(call, entry);
  }

  return (next) => {
    async function fetchAndKeep(call: Call, before: Entry): Promise<Fetched> {
      try {
        const fetched = await next(call);
        const { body, asOf } = fetched;
        await keep(call, fetched, { answer: { body, asOf, fetchedAt: clock.now() }, unknownAt: null });
        return { ...fetched, rate: null };
      } catch (error) {
        if (isUnknown(error)) await keep(call, error, { ...before, unknownAt: clock.now() });
        throw error;
      }
    }

    return async (call) => {
      const entry = await entries.get(call);
      const now = clock.now();
      if (entry.unknownAt !== null && isWithin(now - entry.unknownAt, UNKNOWN)) throw unknown(call);
      const last = lastGood(entry, now);
      if (last !== null && isWithin(now - last.fetchedAt, call.maxAge))
        return { ...last.served, stale: null };

      const fetched = fetchAndKeep(call, last === null ? { ...entry, answer: null } : entry);
      if (last === null) return fetched;
      try {
        const fresh = call.priority === 'interactive' ? await within(fetched, PATIENCE) : await fetched;
        if (fresh !== null) return fresh;
        fetched.catch((error: unknown) => {
          if (!(error instanceof ServiceError)) onBug?.(error);
        });
        return { ...last.served, stale: 'slow' };
      } catch (error) {
        if (!(error instanceof ServiceError) || isUnknown(error)) throw error;
        return { ...last.served, stale: error.share === null ? error.fault : 'share' };
      }
    };
  };
}

/** A clock that stepped back makes ages negative: such an entry counts as old. */
function isWithin(age: number, limit: number): boolean {
  return age >= 0 && age < limit;
}

/** The answer that may still stand in for a newer one. */
function lastGood({ answer }: Entry, now: number) {
  if (answer === null || !isWithin(now - answer.fetchedAt, LAST_GOOD)) return null;
  const { body, asOf, fetchedAt } = answer;
  return { fetchedAt, served: { body, asOf, rate: null } };
}

function unknown({ endpoint }: Call): ServiceError {
  return new ServiceError('not-found', { endpoint, sent: 'no', detail: 'asked lately' });
}

function isUnknown(error: unknown): error is ServiceError & { readonly fault: 'not-found' } {
  return error instanceof ServiceError && error.fault === 'not-found';
}
