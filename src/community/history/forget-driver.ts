import { sql } from '../../base/sql.ts';
import { sameSpelling } from '../../service/models/identifiers.ts';
import type { HistoryCopy, HistoryStore } from '../../store/history-store.ts';
import { forgetInChunks } from './chunks.ts';
import { forgetStays } from './recorder-state.ts';

interface ForgetDriverParts {
  readonly store: HistoryStore;
  /** The copies that there are now. */
  readonly copies: () => readonly HistoryCopy[];
  /** Called with a copy that could not be changed. */
  readonly unreached: (copy: string, error: unknown) => void;
  /** Called once the driver is deleted from the store itself, or may be. */
  readonly deleted: (username: string) => void;
}

/**
 * Deletes all that history and its copies keep of a driver; the counts have no names. Resolves with the files that may
 * still hold some of it.
 */
export function createForgetDriver({ store, copies, unreached, deleted }: ForgetDriverParts) {
  return async (username: string): Promise<readonly string[]> => [
    ...(await forgetDriver(username, store).finally(() => deleted(username))),
    ...(await forgetInCopies(username, copies(), unreached)),
  ];
}

async function forgetDriver(username: string, store: HistoryStore): Promise<readonly string[]> {
  const key = sameSpelling(username);
  if (store.earlier?.hasTables !== false)
    await store.write(function* () {
      yield sql`DELETE FROM drivers WHERE driver = ${key}`;
      yield sql`DELETE FROM sessions WHERE driver = ${key}`;
      yield sql`DELETE FROM played WHERE driver = ${key}`;
      yield sql`DELETE FROM readings WHERE driver = ${key}`;
      yield sql`DELETE FROM reading_ends WHERE driver = ${key}`;
      yield* forgetStays(key);
    });
  await forgetInChunks(key, store);
  return store.scrub();
}

async function forgetInCopies(
  username: string,
  copies: readonly HistoryCopy[],
  unreached: (copy: string, error: unknown) => void,
): Promise<readonly string[]> {
  const remainingFiles: string[] = [];
  for (const { name, open } of copies) {
    try {
      const copy = open();
      try {
        remainingFiles.push(...(await forgetDriver(username, copy)));
      } finally {
        copy.close();
      }
    } catch (error) {
      remainingFiles.push(name);
      unreached(name, error);
    }
  }
  return remainingFiles;
}
