import type { StorePlace } from '../base/config/store-place.ts';
import type { Runtime } from '../base/runtime.ts';
import type { Stores } from './stores.ts';

/**
 * Opens the store until the end, and loads only the kind in use. `tables`: tables of other modules in the file, as SQL.
 * Rejects with a {@link StartError} that says what is wrong with the place.
 */
export async function openStore(place: StorePlace, tables: string, runtime: Runtime): Promise<Stores> {
  const store =
    place.kind === 'sqlite'
      ? await (await import('./sqlite/open.ts')).openSqliteStores(place.file, runtime, tables)
      : await (await import('./postgres/open.ts')).openPostgresStores(place.address, runtime, tables);
  runtime.resources.defer(() => store.close());
  return store;
}
