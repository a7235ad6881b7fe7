import type { Clock } from '../base/clock.ts';
import type { StorePlace } from '../base/config/store-place.ts';
import type { Log } from '../base/log.ts';
import type { Stores } from '../bot/stores.ts';

/** Loads only the backend in use. Rejects with a {@link StartError} that says what is wrong with the place. */
export async function openStores(
  place: StorePlace,
  parts: { readonly clock: Clock; readonly log: Log },
): Promise<Stores> {
  if (place.kind === 'sqlite') {
    const { openSqliteStores } = await import('./sqlite/open.ts');
    return openSqliteStores(place.file, parts);
  }
  const { openRedisStores } = await import('./redis/open.ts');
  return openRedisStores(place.url, parts);
}
