import type { ShardsSetting } from '../base/config/shards-setting.ts';
import type { StorePlace } from '../base/config/store-place.ts';
import type { Runtime } from '../base/runtime.ts';
import type { Stores } from './stores.ts';

/**
 * Opens the store until the end, and loads only the kind in use; resolves when this process has the right to work. `tables`:
 * tables of other modules, as SQL. `standBy`: called with the machine of the process that works, when this one begins to wait.
 * Rejects with a {@link StartError} that says what is wrong with the place, or who has it.
 */
export async function openStore(
  place: StorePlace,
  tables: string,
  { shards, standBy }: { readonly shards: ShardsSetting; readonly standBy: (machine: string) => void },
  runtime: Runtime,
): Promise<Stores> {
  const stopping = new AbortController();
  runtime.resources.defer(() => stopping.abort());
  const parts = { ...runtime, shards, standBy, signal: stopping.signal };
  const store =
    place.kind === 'sqlite'
      ? await (await import('./sqlite/open.ts')).openSqliteStores(place.file, parts, tables)
      : await (await import('./postgres/open.ts')).openPostgresStores(place.address, parts, tables);
  runtime.resources.defer(() => store.close());
  return store;
}
