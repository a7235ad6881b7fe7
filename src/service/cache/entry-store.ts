import type { Keyv } from 'keyv';
import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { type Call, isReadable } from '../call.ts';
import { createMemory } from './memory.ts';

export interface EntryStoreSettings {
  /** Made with `throwOnErrors`: its own store, its own cap on entries. */
  readonly keyv: Keyv;
  /** Whether other processes write to the store. It is then asked even for what is in memory. */
  readonly shared: boolean;
  readonly clock: Pick<Clock, 'now'>;
  /** Told when the store begins to fail at reading or writing. Questions are then answered without it. */
  readonly onStoreFailure?: (doing: 'read' | 'write') => void;
}

/** How long the last good record may stand in for one that cannot be had. */
export const LAST_GOOD = 24 * 60 * 60 * 1000;
/** How long an unknown name stays unknown without being asked again. */
export const UNKNOWN = 60_000;
/** Bytes of what was used lately: of keyless answers all that there is, of the others for speed and for a store that fails. */
const IN_MEMORY = 16 * 1024 * 1024;
/** What a character of JSON takes in memory as a body and as the record that was read from it: 4.4 to 4.7, measured. */
const BYTES_PER_CHARACTER = 5;

/** What is stored for a cache key. It comes from outside again when it is read, perhaps written by an older version. */
const Entry = z.object({
  answer: z.object({ body: z.unknown(), asOf: z.number(), fetchedAt: z.number() }).nullable(),
  /**
   * Unix milliseconds of the last "unknown". It wins over the answer for a minute, but leaves it where it is: a
   * service that knows nobody while its database is being restored must not cost us the last good records.
   */
  unknownAt: z.number().nullable(),
});
export type Entry = z.output<typeof Entry>;
const nothing: Entry = { answer: null, unknownAt: null };

/** When something was last learned, unix milliseconds. */
function learnedAt({ answer, unknownAt }: Entry): number {
  return Math.max(answer?.fetchedAt ?? 0, unknownAt ?? 0);
}

/** Entries by cache key. Never rejects: it reports failures, and does with what is in memory. */
export interface EntryStore {
  /** An answer in it can be read as an answer to the call. */
  get(call: Call): Promise<Entry>;
  set(call: Call, entry: Entry): Promise<void>;
}

export function createEntryStore(settings: EntryStoreSettings): EntryStore {
  const { keyv, shared, clock } = settings;
  const memory = createMemory<Entry>(IN_MEMORY);
  const reads = new Map<string, Promise<unknown>>();
  const reach = createReach(settings.onStoreFailure);

  function remember(cacheKey: string, entry: Entry): void {
    memory.set(cacheKey, entry, JSON.stringify(entry).length * BYTES_PER_CHARACTER);
  }

  /** One read for all who ask together. */
  function read(cacheKey: string): Promise<unknown> {
    const underWay = reads.get(cacheKey);
    if (underWay !== undefined) return underWay;
    const reading = keyv.get<unknown>(cacheKey).finally(() => reads.delete(cacheKey));
    reads.set(cacheKey, reading);
    return reading;
  }

  return {
    async get(call) {
      const { cacheKey } = call;
      const known = memory.get(cacheKey);
      if (!call.keyed || (known !== null && !shared)) return known ?? nothing;
      const stored = Entry.safeParse(await reach('read', () => read(cacheKey))).data ?? nothing;
      const remembered = memory.get(cacheKey) ?? nothing;
      // What came while the store was read is newer than what it told, and so is what it did not take when it failed.
      if (learnedAt(stored) <= learnedAt(remembered)) return remembered;
      const entry = withoutUnreadable(call, stored);
      remember(cacheKey, entry);
      return entry;
    },
    async set(call, entry) {
      const { cacheKey } = call;
      remember(cacheKey, entry);
      // A live file changes every second: nothing of it is worth a write.
      if (!call.keyed) return;
      const age = entry.answer === null ? LAST_GOOD : clock.now() - entry.answer.fetchedAt;
      const life = Math.max(UNKNOWN, Math.min(LAST_GOOD, LAST_GOOD - age));
      await reach('write', () => keyv.set(cacheKey, entry, life));
    },
  };
}

/** An answer that this version cannot read counts as none. */
function withoutUnreadable(call: Call, entry: Entry): Entry {
  return entry.answer === null || isReadable(call, entry.answer.body) ? entry : { ...entry, answer: null };
}

/** Does something with the store; undefined where that fails, which is reported when it begins. */
function createReach(onStoreFailure: EntryStoreSettings['onStoreFailure']) {
  const failing = { read: false, write: false };
  return async (doing: 'read' | 'write', operation: () => Promise<unknown>): Promise<unknown> => {
    const result = await operation().then(
      (value) => ({ value }),
      () => null,
    );
    if (result === null && !failing[doing]) onStoreFailure?.(doing);
    failing[doing] = result === null;
    return result?.value;
  };
}
