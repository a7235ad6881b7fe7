import type { Keyv } from 'keyv';
import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import type { Call } from '../call.ts';

export interface ShelfSettings {
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
/** Entries held in memory: of keyless answers, and of the others those seen last, for a store that fails. */
const IN_MEMORY = 100;

/** What is stored for a question. It comes from outside again when it is read, perhaps written by an older version. */
const Kept = z.object({
  answer: z.object({ body: z.unknown(), asOf: z.number(), fetchedAt: z.number() }).nullable(),
  /**
   * Unix milliseconds of the last "unknown". It wins over the answer for a minute, but leaves it where it is: a
   * service that knows nobody while its database is being restored must not cost us the last good records.
   */
  unknownAt: z.number().nullable(),
});
export type Kept = z.output<typeof Kept>;
const nothing: Kept = { answer: null, unknownAt: null };

/** When something was last learned of the question, unix milliseconds. */
function learnedAt({ answer, unknownAt }: Kept): number {
  return Math.max(answer?.fetchedAt ?? 0, unknownAt ?? 0);
}

/** What was answered before, by question. Never rejects: it tells of failures, and does with what is in memory. */
export interface Shelf {
  get(call: Call): Promise<Kept>;
  set(call: Call, kept: Kept): Promise<void>;
}

/** Keeps the newest entries, as many as that. */
function createMemory(): { get(cacheKey: string): Kept; set(cacheKey: string, kept: Kept): void } {
  const entries = new Map<string, Kept>();
  return {
    get: (cacheKey) => entries.get(cacheKey) ?? nothing,
    set(cacheKey, kept) {
      // Deleted first, so that the entry written longest ago is the first one and the one to go.
      entries.delete(cacheKey);
      entries.set(cacheKey, kept);
      for (const oldest of entries.keys()) {
        if (entries.size <= IN_MEMORY) break;
        entries.delete(oldest);
      }
    },
  };
}

export function createShelf({ keyv, clock, onStoreFailure }: ShelfSettings): Shelf {
  const failing = { read: false, write: false };
  const went = (doing: 'read' | 'write', failed: boolean): void => {
    if (failed && !failing[doing]) onStoreFailure?.(doing);
    failing[doing] = failed;
  };
  const keyless = createMemory();
  const memory = createMemory();
  return {
    async get({ cacheKey, keyed }) {
      if (!keyed) return keyless.get(cacheKey);
      const remembered = memory.get(cacheKey);
      try {
        const stored = Kept.safeParse(await keyv.get<unknown>(cacheKey)).data ?? nothing;
        went('read', false);
        // What the store did not take while it failed is newer than what it has.
        const kept = learnedAt(stored) < learnedAt(remembered) ? remembered : stored;
        if (kept !== nothing) memory.set(cacheKey, kept);
        return kept;
      } catch {
        went('read', true);
        return remembered;
      }
    },
    async set({ cacheKey, keyed }, kept) {
      // A live file changes every second: nothing of it is worth a write.
      if (!keyed) return keyless.set(cacheKey, kept);
      memory.set(cacheKey, kept);
      try {
        const age = kept.answer === null ? LAST_GOOD : clock.now() - kept.answer.fetchedAt;
        await keyv.set(cacheKey, kept, Math.max(UNKNOWN, Math.min(LAST_GOOD, LAST_GOOD - age)));
        went('write', false);
      } catch {
        went('write', true);
      }
    },
  };
}
