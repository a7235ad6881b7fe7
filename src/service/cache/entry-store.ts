import type { Keyv } from 'keyv';
import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import type { Call } from '../call.ts';
import { createMemory } from './memory.ts';

export interface EntryStoreSettings {
  /** Made with `throwOnErrors`: its own store, its own cap on entries. */
  readonly keyv: Keyv;
  readonly clock: Pick<Clock, 'now'>;
  /** Told when the store begins to fail at reading or writing. Questions are then answered without it. */
  readonly onStoreFailure?: (doing: 'read' | 'write') => void;
}

/** How long the last good record may stand in for one that cannot be had. */
export const LAST_GOOD = 24 * 60 * 60 * 1000;
/** How long an unknown name stays unknown without being asked again. */
export const UNKNOWN = 60_000;
/** Entries held in memory: of keyless answers, and of the others those used last, for a store that fails. */
const IN_MEMORY = 100;

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

/** Entries by cache key. Never rejects: it tells of failures, and does with what is in memory. */
export interface EntryStore {
  /** What is in memory. */
  recall(call: Call): Entry;
  /** Asks the store as well. */
  get(call: Call): Promise<Entry>;
  set(call: Call, entry: Entry): Promise<void>;
}

export function createEntryStore({ keyv, clock, onStoreFailure }: EntryStoreSettings): EntryStore {
  const keyless = createMemory<Entry>(IN_MEMORY);
  const keyed = createMemory<Entry>(IN_MEMORY);
  const reads = new Map<string, Promise<unknown>>();
  const failing = { read: false, write: false };

  const recall = (call: Call): Entry => (call.keyed ? keyed : keyless).get(call.cacheKey) ?? nothing;

  /** Null where it fails. */
  async function reach<T>(
    doing: 'read' | 'write',
    operation: () => Promise<T>,
  ): Promise<{ value: T } | null> {
    const result = await operation().then(
      (value) => ({ value }),
      () => null,
    );
    if (result === null && !failing[doing]) onStoreFailure?.(doing);
    failing[doing] = result === null;
    return result;
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
    recall,
    async get(call) {
      const { cacheKey } = call;
      if (!call.keyed) return recall(call);
      const result = await reach('read', () => read(cacheKey));
      const stored = Entry.safeParse(result?.value).data ?? nothing;
      const remembered = recall(call);
      // What came while the store was read is newer than what it told, and so is what it did not take when it failed.
      if (learnedAt(stored) <= learnedAt(remembered)) return remembered;
      keyed.set(cacheKey, stored);
      return stored;
    },
    async set(call, entry) {
      const { cacheKey } = call;
      // A live file changes every second: nothing of it is worth a write.
      if (!call.keyed) return keyless.set(cacheKey, entry);
      keyed.set(cacheKey, entry);
      const age = entry.answer === null ? LAST_GOOD : clock.now() - entry.answer.fetchedAt;
      const life = Math.max(UNKNOWN, Math.min(LAST_GOOD, LAST_GOOD - age));
      await reach('write', () => keyv.set(cacheKey, entry, life));
    },
  };
}
