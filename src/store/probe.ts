import type { StorePlace } from '../base/config/store-place.ts';
import type { Examined } from './sqlite/examine-file.ts';
import type { LockHolder } from './sqlite/file-lock.ts';
import type { Backend } from './stores.ts';

/** The store seen from outside: beside a bot that uses it, and without changing anything. */
export interface StoreProbe {
  readonly facts: SqliteFacts | RedisFacts;
  /** The texts of the documents that were asked for, by collection; none where the store cannot be read. */
  readonly documents: ReadonlyMap<string, readonly string[]>;
  /** Null where there is none yet, or it cannot be used. */
  readonly backend: Backend | null;
  close(): void;
}

export interface SqliteFacts {
  readonly kind: 'sqlite';
  readonly file: string;
  /** `missing`: the bot creates it. */
  readonly state: Examined | 'missing';
  /** Why the bot would not start with it, and what to do; null where it would. */
  readonly trouble: string | null;
  readonly bytes: number;
  /** Of the disk, for this user. */
  readonly freeBytes: number;
  readonly usedBy: LockHolder | null;
  /** The newest good copy beside it. */
  readonly newestCopy: string | null;
}

export interface RedisFacts {
  readonly kind: 'redis';
  /** Why it cannot be used, and what to do. */
  readonly trouble: string | null;
  /** Settings that lose data. */
  readonly advice: readonly string[];
  readonly usedBytes: number;
  /** Null where it has no limit of its own. */
  readonly mostBytes: number | null;
}

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
