import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../../clock.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { openRedisLedgerStore, type ScriptClient } from './redis.ts';
import { openSqliteLedgerStore } from './sqlite.ts';

/**
 * The ledger of the processes of one machine, in the store's file, which must have been opened as the store before.
 * It has a connection of its own, since its writes must be on the disk before a request is sent, and the
 * store's need not. Throws where the file cannot be written.
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

/** What is never spent of a shared budget: a store that fails over or restarts can lose what was written last. */
const SHARED_HEADROOM = 4;

/**
 * The ledger of all processes that use the same key and the same `name`, on however many machines, in Redis or
 * Valkey. The store should write every command to its log (`appendonly yes`) and evict nothing (`noeviction`). While it
 * is away the ledger rejects, so nothing is sent.
 */
export function openSharedLedger(options: { readonly client: ScriptClient; readonly name: string }): Ledger {
  return createLedger(openRedisLedgerStore(options), { headroom: SHARED_HEADROOM });
}
