import { DatabaseSync } from 'node:sqlite';
import { ledgerTables } from '../../src/service/budget/ledger/sqlite.ts';

/** A database with the tables of a ledger, as the store makes them. */
export function ledgerDatabase(path = ':memory:'): DatabaseSync {
  const database = new DatabaseSync(path);
  const isMade = database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'budget_permit'`).get();
  if (isMade === undefined) database.exec(ledgerTables);
  return database;
}
