import type { Keyv } from 'keyv';
import { z } from 'zod';
import { bounded } from '../../base/bounded.ts';
import { type Clock, within } from '../../base/clock.ts';
import { DAY, MINUTE } from '../../base/duration.ts';
import { ServiceError } from '../../base/errors.ts';
import { createOutage } from '../../base/outage.ts';
import { createSingleFlight } from '../../base/single-flight.ts';
import { type Call, DatedBody, type Fetched, isReadable, type Layer } from '../call.ts';
import { whyOld } from '../models/dated.ts';

export interface CacheSettings extends EntryStoreSettings {
  /** Nothing that needs the key can be sent, since it could not be recorded: then the service is not slow. */
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

/** The name was unknown a moment ago. */
function knowsNobody({ unknownAt }: Entry, now: number): boolean {
  return unknownAt !== null && isWithin(now - unknownAt, UNKNOWN);
}

/** The answer need not be fetched again. */
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

interface EntryStoreSettings {
  /** Created with `throwOnErrors`; has its own store and its own cap on entries. */
  readonly keyv: Keyv;
  /** Other processes write to the store. If so, it is read where what is in memory is too old. */
  readonly shared: boolean;
  readonly clock: Pick<Clock, 'now'>;
  /** Called when the store starts failing to read or write. Calls are then answered without it. */
  readonly onStoreFailure?: (doing: 'read' | 'write') => void;
}

/** How long the last good record may be shown when a newer one cannot be fetched. */
const LAST_GOOD = DAY;
/** How long an unknown name is remembered without asking again. */
const UNKNOWN = MINUTE;
/**
 * Bytes of recently used entries. Keyless answers are only here; for the others, memory is for speed and for a
 * failing store.
 */
const IN_MEMORY = 16 * 1024 * 1024;
/** Memory per character of JSON, as a body and as the record read from it: measured at 4.4 to 4.7. */
const BYTES_PER_CHARACTER = 5;

/** What is stored for a cache key. */
const Entry = z.object({
  answer: DatedBody.extend({ fetchedAt: z.number() }).nullable(),
  /**
   * Unix milliseconds of the last "unknown". It overrides the answer for a minute but does not erase it: a service
   * that knows nobody while its database is being restored must not cost us the last good records.
   */
  unknownAt: z.number().nullable(),
});
type Entry = z.output<typeof Entry>;
const nothing: Entry = { answer: null, unknownAt: null };

/** When the entry last changed, in unix milliseconds. */
function learnedAt({ answer, unknownAt }: Entry): number {
  return Math.max(answer?.fetchedAt ?? 0, unknownAt ?? 0);
}

/** Entries by cache key. Never rejects: it reports failures and falls back on memory. */
function createEntryStore(settings: EntryStoreSettings): {
  /**
   * The answer in it is readable as an answer to the call. `suffices`: whether one from memory does, though another process
   * may have a newer one.
   */
  get(call: Call, suffices: (entry: Entry) => boolean): Promise<Entry>;
  set(call: Call, entry: Entry): Promise<void>;
} {
  const { keyv, shared, clock } = settings;
  const memory = bounded<string, { readonly entry: Entry; readonly bytes: number }>(
    IN_MEMORY,
    ({ bytes }) => bytes,
  );
  const read = createSingleFlight<unknown>();
  const reach = createReach(settings.onStoreFailure);

  function remember({ cacheKey, keyed }: Call, entry: Entry): void {
    // The keyless ones are four, and come every second: to measure them would take longer than anything else here.
    const bytes = keyed ? JSON.stringify(entry).length * BYTES_PER_CHARACTER : 0;
    memory.set(cacheKey, { entry, bytes });
  }

  return {
    async get(call, suffices) {
      const { cacheKey } = call;
      const held = memory.get(cacheKey);
      // What is asked for stays.
      if (held !== undefined) memory.set(cacheKey, held);
      const known = held?.entry;
      if (!call.keyed || (known !== undefined && (!shared || suffices(known)))) return known ?? nothing;
      const stored =
        Entry.safeParse(await reach('read', () => read(cacheKey, () => keyv.get<unknown>(cacheKey)))).data ??
        nothing;
      const remembered = memory.get(cacheKey)?.entry ?? nothing;
      // Memory may be newer than the store: written while the store was read, or when a write to it failed.
      if (learnedAt(stored) <= learnedAt(remembered)) return remembered;
      const entry = withoutUnreadable(call, stored);
      remember(call, entry);
      return entry;
    },
    async set(call, entry) {
      const { cacheKey } = call;
      remember(call, entry);
      // A live file changes every second and is not worth a write.
      if (!call.keyed) return;
      const age = entry.answer === null ? LAST_GOOD : clock.now() - entry.answer.fetchedAt;
      const life = Math.max(UNKNOWN, Math.min(LAST_GOOD, LAST_GOOD - age));
      await reach('write', () => keyv.set(cacheKey, entry, life));
    },
  };
}

/** An answer that this version cannot read counts as absent. */
function withoutUnreadable(call: Call, entry: Entry): Entry {
  return entry.answer === null || isReadable(call, entry.answer.body) ? entry : { ...entry, answer: null };
}

/** Runs a store operation; undefined where it fails. The first failure is reported. */
function createReach(onStoreFailure: EntryStoreSettings['onStoreFailure']) {
  const outages = {
    read: createOutage(() => onStoreFailure?.('read')),
    write: createOutage(() => onStoreFailure?.('write')),
  };
  return async (doing: 'read' | 'write', operation: () => Promise<unknown>): Promise<unknown> => {
    try {
      const result = await operation();
      outages[doing].worked();
      return result;
    } catch (error) {
      outages[doing].failed(error);
      return undefined;
    }
  };
}
