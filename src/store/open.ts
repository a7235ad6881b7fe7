import type { StorePlace } from '../base/config/store-place.ts';
import type { Runtime } from '../base/runtime.ts';
import type { Stores } from './stores.ts';

/**
 * Opens the store until the end. `tables`: what other rooms keep in the file, as SQL. Rejects with a {@link StartError} that says what is wrong with the
 * place.
 */
export async function openStore(place: StorePlace, tables: string, runtime: Runtime): Promise<Stores> {
  const store = await openBackend(place, tables, runtime);
  runtime.resources.defer(() => store.close());
  return store;
}

/** Loads only the one in use. */
async function openBackend(
  place: StorePlace,
  tables: string,
  runtime: Pick<Runtime, 'clock' | 'log'>,
): Promise<Stores> {
  if (place.kind === 'sqlite') {
    const { openSqliteStores } = await import('./sqlite/open.ts');
    return openSqliteStores(place.file, runtime, tables);
  }
  const { openRedisStores } = await import('./redis/open.ts');
  return openRedisStores(place.url, runtime);
}
