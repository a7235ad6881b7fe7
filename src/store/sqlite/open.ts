import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Stores } from '../stores.ts';
import { lockFile } from './file-lock.ts';
import { storeFormat } from './format.ts';
import { makeFolder, prepareFile } from './prepare-file.ts';
import { createSqliteStores } from './stores.ts';

/**
 * Creates the file and its folder if missing, with these tables of other rooms. Rejects with a {@link StartError} that says what is wrong with the
 * file, or which process is using it.
 */
export async function openSqliteStores(
  file: string,
  parts: { readonly clock: Clock; readonly log: Log },
  tables: string,
): Promise<Stores> {
  makeFolder(file);
  const release = lockFile(file);
  try {
    prepareFile(file, storeFormat(tables));
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
