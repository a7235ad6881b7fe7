import type { StorePlace } from '../base/config/store-place.ts';
import type { RedisFacts } from './redis/probe.ts';
import type { SqliteFacts } from './sqlite/probe.ts';
import type { Stores } from './stores.ts';

/** Looks at the store, and at these collections, beside a bot that may be using it. Loads only the backend in use. */
export async function probeStore(
  place: StorePlace,
  collections: readonly string[] = [],
): Promise<{
  readonly facts: SqliteFacts | RedisFacts;
  /** The texts of the documents that were asked for, by collection; none where the store cannot be read. */
  readonly documents: ReadonlyMap<string, readonly string[]>;
  /** Null where there is none yet, or it cannot be used. */
  readonly backend: Stores['backend'] | null;
  close(): void;
}> {
  if (place.kind === 'sqlite') {
    const { probeSqlite } = await import('./sqlite/probe.ts');
    return probeSqlite(place.file, collections);
  }
  const { probeRedis } = await import('./redis/probe.ts');
  return probeRedis(place.url, collections);
}
