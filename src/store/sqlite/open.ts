import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Stores } from '../../bot/stores.ts';
import { lockFile } from './file-lock.ts';
import { makeFolder, prepareFile } from './prepare-file.ts';
import { createSqliteStores } from './stores.ts';

/**
 * Creates the file and its folder if missing. Rejects with a {@link StartError} that says what is wrong with the
 * file, or which process is using it.
 */
export async function openSqliteStores(
  file: string,
  parts: { readonly clock: Clock; readonly log: Log },
): Promise<Stores> {
  makeFolder(file);
  const release = lockFile(file);
  try {
    prepareFile(file);
    const stores = createSqliteStores(file, parts, { isSoleWriter: true });
    return {
      ...stores,
      async close() {
        await stores.close();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}
