import type { Clock } from '../../src/base/clock.ts';
import { StoreError } from '../../src/base/errors.ts';
import type { Documents } from '../../src/store/documents.ts';
import { documentsInMemory } from './documents-in-memory.ts';

export interface FaultyDocuments extends Documents {
  /** Every call rejects. */
  broken: boolean;
  /** Milliseconds: it is written at once, and the writer hears of it so much later. */
  late: number;
}

/** Documents in memory, or those, in a store that is made to fail. */
export function faultyDocuments(
  clock: Clock,
  documents: Documents = documentsInMemory(clock.now),
): FaultyDocuments {
  const unlessBroken = <T>(work: () => Promise<T>): Promise<T> =>
    faulty.broken ? Promise.reject(new StoreError('the store is away')) : work();
  const faulty: FaultyDocuments = {
    broken: false,
    late: 0,
    read: (...asked) => unlessBroken(() => documents.read(...asked)),
    all: (...asked) => unlessBroken(() => documents.all(...asked)),
    commit: (...asked) =>
      unlessBroken(async () => {
        const done = await documents.commit(...asked);
        if (faulty.late > 0) await new Promise<void>((resolve) => clock.after(faulty.late, resolve));
        return done;
      }),
    naming: (...asked) => unlessBroken(() => documents.naming(...asked)),
  };
  return faulty;
}
