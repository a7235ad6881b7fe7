import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../../base/clock.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { openRedisLedgerStore, type ScriptClient } from './redis.ts';
import { openSqliteLedgerStore } from './sqlite.ts';

/** Where the bot keeps its data; the ledger is kept there, too. */
export type LedgerPlace =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'redis'; readonly connection: ScriptClient; readonly prefix: string };

export function openLedger(place: LedgerPlace, clock: Clock): Ledger {
  if (place.kind === 'sqlite') return openEmbeddedLedger({ file: place.file, clock });
  return openSharedLedger({ client: place.connection, name: `${place.prefix}:budget` });
}

/**
 * The ledger shared by the processes of one machine, in the store's file, which must already have been opened as
 * the store and has `ledgerTables`. It has its own connection: its writes must be on the disk before a request is sent, the store's need
 * not. Throws where the file cannot be written.
 */
export function openEmbeddedLedger({
  file,
  clock,
}: {
  readonly file: string;
  readonly clock: Clock;
}): Ledger {
  const store = openSqliteLedgerStore({ database: new DatabaseSync(file), clock });
  return createLedger(store, { headroom: 0 });
}

/** Never spent of a shared budget: a store that fails over or restarts can lose its last writes. */
const SHARED_HEADROOM = 4;

/**
 * The ledger of all processes that use the same key and the same `name`, on any number of machines, in Redis or
 * Valkey. The store should log every command (`appendonly yes`) and evict nothing (`noeviction`). While it is
 * unavailable, the ledger rejects and nothing is sent.
 */
export function openSharedLedger(options: { readonly client: ScriptClient; readonly name: string }): Ledger {
  return createLedger(openRedisLedgerStore(options), { headroom: SHARED_HEADROOM });
}
