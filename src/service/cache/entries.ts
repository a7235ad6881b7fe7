import type { Keyv } from 'keyv';
import { z } from 'zod';
import { createBoundedMap } from '../../base/bounded.ts';
import type { Clock } from '../../base/clock.ts';
import { DAY, MINUTE } from '../../base/duration.ts';
import { ServiceError } from '../../base/errors.ts';
import { createOutage } from '../../base/outage.ts';
import { createSingleFlight } from '../../base/single-flight.ts';
import { type Call, DatedBody, type Fetched, isReadable } from '../call.ts';

export interface EntriesSettings {
  /** Created with `throwOnErrors`; has its own store and its own cap on entries. */
  readonly keyv: Keyv;
  /** Other processes write to the store. If so, it is read where what is in memory is too old. */
  readonly shared: boolean;
  readonly clock: Pick<Clock, 'now'>;
  /** Called when the store starts failing to read or write. Calls are then answered without it. */
  readonly onStoreFailure?: (doing: 'read' | 'write', error: unknown) => void;
}

/** Age up to which the last good record may stand in for one that cannot be fetched. */
const LAST_GOOD_MS = DAY;
/** Time for which an unknown name is not asked about again. */
const UNKNOWN_NAME_MS = MINUTE;
/**
 * An answer that follows a stored one within this time (ms) is not worth a write, unless other processes read it: a start
 * has one that is hardly older.
 */
const WRITE_INTERVAL_MS = 5 * MINUTE;
/**
 * Bytes of recently used entries. Keyless answers are only here; for the others, memory is for speed and for a
 * failing store.
 */
const MAX_MEMORY_BYTES = 16 * 1024 * 1024;
/** Memory per character of JSON, as a body and as the record read from it: measured at 4.4 to 4.7. */
const BYTES_PER_CHARACTER = 5;

/** Stored record of a cache key. */
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

/** A clock set back makes ages negative; such an entry counts as old. */
export function isWithin(age: number, limit: number): boolean {
  return age >= 0 && age < limit;
}

/** The name was unknown a moment ago. */
function knowsNobody({ unknownAt }: Entry, now: number): boolean {
  return unknownAt !== null && isWithin(now - unknownAt, UNKNOWN_NAME_MS);
}

/** The call need not be made. */
function suffices(entry: Entry, { maxAge }: Call, now: number): boolean {
  return knowsNobody(entry, now) || (entry.answer !== null && isWithin(now - entry.answer.fetchedAt, maxAge));
}

/** The answer to a call that need not be made, else null. Throws where the name was unknown a moment ago. */
export function knownAnswer(entry: Entry, call: Call, now: number): Fetched | null {
  if (knowsNobody(entry, now))
    throw new ServiceError('not-found', { endpoint: call.endpoint, sent: 'no', detail: 'asked lately' });
  return suffices(entry, call, now) ? lastGood(entry, now) : null;
}

/** The older answer that may be shown instead of a new one. */
export function lastGood({ answer }: Entry, now: number): Fetched | null {
  if (answer === null || !isWithin(now - answer.fetchedAt, LAST_GOOD_MS)) return null;
  return { body: answer.body, asOf: answer.asOf, stale: null, rate: null };
}

/** Entries by cache key, in memory and in the store. Never rejects: it reports failures and falls back on memory. */
export function createEntries({ keyv, shared, clock, onStoreFailure }: EntriesSettings) {
  const memory = createBoundedMap<
    string,
    { readonly entry: Entry; readonly bytes: number; readonly storedAt: number }
  >(MAX_MEMORY_BYTES, ({ bytes }) => bytes);
  const read = createSingleFlight<unknown>();
  const reading = createOutage((error) => onStoreFailure?.('read', error));
  const writing = createOutage((error) => onStoreFailure?.('write', error));
  const failed = (): undefined => undefined;

  /** `storedAt`: when the store has last taken the entry, in unix milliseconds; 0: never. */
  function remember({ cacheKey, keyed }: Call, entry: Entry, storedAt: number): void {
    // The keyless ones are four, and come every second: to measure them would take longer than anything else here.
    const bytes = keyed ? JSON.stringify(entry).length * BYTES_PER_CHARACTER : 0;
    memory.set(cacheKey, { entry, bytes, storedAt });
  }

  return {
    /**
     * The answer in it is readable as an answer to the call. Another process may have a newer one, unless the call has to be
     * made by this one.
     */
    async get(call: Call): Promise<Entry> {
      const { cacheKey } = call;
      const cached = memory.get(cacheKey);
      // A record that is asked for moves to the end, so that it stays.
      if (cached !== undefined) memory.set(cacheKey, cached);
      const cachedEntry = cached?.entry;
      if (!call.keyed || (cachedEntry !== undefined && (!shared || suffices(cachedEntry, call, clock.now()))))
        return cachedEntry ?? nothing;
      const storedValue = await reading.attempt(
        () => read(cacheKey, () => keyv.get<unknown>(cacheKey)),
        failed,
      );
      const storedEntry = Entry.safeParse(storedValue).data ?? nothing;
      const remembered = memory.get(cacheKey)?.entry ?? nothing;
      // Memory may be newer than the store: written while the store was read, or when a write to it failed.
      if (learnedAt(storedEntry) <= learnedAt(remembered)) return remembered;
      const entry = withoutUnreadable(call, storedEntry);
      remember(call, entry, entry.answer?.fetchedAt ?? 0);
      return entry;
    },
    /** Memory has it at once. The part that is not given stays: a name that is unknown now does not cost the last good record. */
    async set(call: Call, learned: Partial<Entry>): Promise<void> {
      const { cacheKey } = call;
      const { entry: lastEntry = nothing, storedAt = 0 } = memory.get(cacheKey) ?? {};
      const entry = { ...lastEntry, ...learned };
      const now = clock.now();
      remember(call, entry, storedAt);
      // A live file changes every second and is not worth a write.
      if (!call.keyed) return;
      const isKnownAsBefore = entry.unknownAt === lastEntry.unknownAt;
      if (!shared && isKnownAsBefore && isWithin(now - storedAt, WRITE_INTERVAL_MS)) return;
      const age = entry.answer === null ? LAST_GOOD_MS : now - entry.answer.fetchedAt;
      const life = Math.max(UNKNOWN_NAME_MS, Math.min(LAST_GOOD_MS, LAST_GOOD_MS - age));
      const isStored = await writing.attempt(async () => {
        await keyv.set(cacheKey, entry, life);
        return true;
      }, failed);
      if (isStored === true && memory.get(cacheKey)?.entry === entry) remember(call, entry, now);
    },
  };
}

/** An answer that this version cannot read counts as absent. */
function withoutUnreadable(call: Call, entry: Entry): Entry {
  return entry.answer === null || isReadable(call, entry.answer.body) ? entry : { ...entry, answer: null };
}
