import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Database } from './database.ts';

const SCHEMA = 'CREATE TABLE IF NOT EXISTS in_use (id INTEGER PRIMARY KEY CHECK (id = 1)) STRICT';

/**
 * Writes into the file itself, past its log, that it is in use, until the returned function is called as the last
 * thing before its connections close. All that is stored meanwhile may be in the log only: a file that says it is in
 * use, and has no log, has lost it. Without the mark it would pass for a good file of an earlier time.
 */
export function markInUse(database: Database): () => void {
  database.exec(`${SCHEMA}; INSERT OR IGNORE INTO in_use VALUES (1)`);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  return () => database.exec('DELETE FROM in_use');
}

/** For a copy, which needs no log. */
export function unmark(database: DatabaseSync): void {
  database.exec(`${SCHEMA}; DELETE FROM in_use`);
}

export function hasLog(file: string): boolean {
  return existsSync(`${file}-wal`);
}

/** Whether the file says that it is in use. */
export function isMarked(database: DatabaseSync): boolean {
  const table = database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'in_use'`).get();
  return table !== undefined && database.prepare('SELECT 1 FROM in_use').get() !== undefined;
}
