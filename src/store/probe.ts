import type { StorePlace } from '../base/config/store-place.ts';
import type { Sql } from '../base/sql.ts';
import type { PostgresFacts } from './postgres/probe.ts';
import type { SqliteFacts } from './sqlite/probe.ts';

/** Looks at the store, and at these collections, beside a bot that may be using it. Loads only the kind in use. */
export async function probeStore(
  place: StorePlace,
  collections: readonly string[] = [],
): Promise<{
  readonly facts: SqliteFacts | PostgresFacts;
  /** The texts of the documents that were asked for, by collection; none where the store cannot be read. */
  readonly documents: ReadonlyMap<string, readonly string[]>;
  /** The place of the request ledger; null where there is none yet, or it cannot be used. */
  readonly ledger: { readonly ledger: Sql; readonly isShared: boolean } | null;
  close(): void;
}> {
  const isShared = place.kind === 'postgres';
  const { ledger, ...probed } = isShared
    ? await (await import('./postgres/probe.ts')).probePostgres(place.address, collections)
    : (await import('./sqlite/probe.ts')).probeSqlite(place.file, collections);
  return { ...probed, ledger: ledger === null ? null : { ledger, isShared } };
}
