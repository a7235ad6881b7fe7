import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../../base/clock.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { openRedisLedgerStore, type ScriptClient } from './redis.ts';
import { openSqliteLedgerStore } from './sqlite.ts';

/** Place of the bot's data; the ledger is kept there, too. */
export type LedgerPlace =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'redis'; readonly connection: ScriptClient; readonly prefix: string };

/** Never spent of a shared budget: a store that fails over or restarts can lose its last writes. */
const SHARED_HEADROOM = 4;

/**
 * For one machine: in the store's file, which must already have been opened as the store and has `ledgerTables`. It has
 * its own connection: its writes must be on the disk before a request is sent, the store's need not. Throws where the
 * file cannot be written.
 *
 * Of any number of machines: in Redis or Valkey, for all processes that use the same key and the same prefix. The store
 * should log every command (`appendonly yes`) and evict nothing (`noeviction`). While it is unavailable, the ledger
 * rejects and nothing is sent.
 */
export function openLedger(place: LedgerPlace, clock: Clock): Ledger {
  if (place.kind === 'sqlite') {
    const database = new DatabaseSync(place.file);
    return createLedger(openSqliteLedgerStore({ database, clock }), { headroom: 0 });
  }
  const store = openRedisLedgerStore(place.connection, `${place.prefix}:budget`);
  return createLedger(store, { headroom: SHARED_HEADROOM });
}
