import type { StorePlace } from '../base/config/store-place.ts';
import type { StoreProbe } from './store-probe.ts';

/** Looks at the store, and at these collections, beside a bot that may be using it. Loads only the backend in use. */
export async function probeStore(
  place: StorePlace,
  collections: readonly string[] = [],
): Promise<StoreProbe> {
  if (place.kind === 'sqlite') {
    const { probeSqlite } = await import('./sqlite/probe.ts');
    return probeSqlite(place.file, collections);
  }
  const { probeRedis } = await import('./redis/probe.ts');
  return probeRedis(place.url, collections);
}
