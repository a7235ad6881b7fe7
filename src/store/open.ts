import type { Clock } from '../clock.ts';
import type { StorePlace } from '../config/store-place.ts';
import type { Log } from '../log.ts';
import { openRedisStores } from './redis/open.ts';
import { openSqliteStores } from './sqlite/open.ts';
import type { Stores } from './stores.ts';

/** Rejects with a {@link StartError} that says what is wrong with the place. */
export function openStores(
  place: StorePlace,
  parts: { readonly clock: Clock; readonly log: Log },
): Promise<Stores> {
  return place.kind === 'sqlite' ? openSqliteStores(place.file, parts) : openRedisStores(place.url, parts);
}
