import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../src/base/clock.ts';
import { openDurableClock } from '../../src/service/budget/ledger/durable-clock.ts';
import type { LedgerStore } from '../../src/service/budget/ledger/ledger-store.ts';
import { openLedger } from '../../src/service/budget/ledger/open.ts';
import { createLedgerStore, ledgerTables } from '../../src/service/budget/ledger/tables.ts';
import { guardConnection, openDatabase } from '../../src/store/sqlite/database.ts';
import { createSqliteSql } from '../../src/store/sqlite/sql.ts';

/** A database with the tables of a ledger, as the store makes them. */
export function ledgerDatabase(path = ':memory:'): DatabaseSync {
  const database = new DatabaseSync(path);
  const isMade = database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'budget_permit'`).get();
  if (isMade === undefined) database.exec(ledgerTables);
  return database;
}

/** The ledger in a file that has its tables, as the store opens it. */
export function openLedgerFile(file: string, clock: Clock) {
  const database = openDatabase(file, { durable: false });
  const ledger = openLedger({ ledger: createSqliteSql(database, clock), isShared: false }, clock);
  return { ledger, close: database.close };
}

/** The permits in it. `boot`: identifies the start of the machine. */
export function ledgerStoreOver({
  database,
  clock,
  boot,
}: {
  readonly database: DatabaseSync;
  readonly clock: Clock;
  readonly boot: string | null;
}): LedgerStore {
  return createLedgerStore(createSqliteSql(guardConnection(database), clock), openDurableClock(clock, boot));
}
