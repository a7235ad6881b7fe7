import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../../base/clock.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { openRedisLedgerStore, type ScriptClient } from './redis.ts';
import { openSqliteLedgerStore } from './sqlite.ts';

/**
 * The ledger shared by the processes of one machine, in the store's file, which must already have been opened as
 * the store. It has its own connection: its writes must be on the disk before a request is sent, the store's need
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
