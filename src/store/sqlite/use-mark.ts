import { existsSync, realpathSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { type Database, hasTable } from './database.ts';

export const useMarkTable = `
  CREATE TABLE in_use (id INTEGER PRIMARY KEY CHECK (id = 1), needs_log INTEGER NOT NULL) STRICT;
`;

/**
 * Marks the file as one whose latest changes are in its log, until the returned function is called as the last thing
 * before its connections close. Only the file itself has the mark, the log takes it back: so a file that has it lost
 * its log, and has nothing that was stored since the start. Without the mark it would pass for a good one. Where the
 * log has been played into the file since, by us or by another program, the mark is gone. Only the mark itself has to be on
 * the disk, which a checkpoint sees to: a connection that waits for the disk at each commit would wait in vain.
 */
export function markInUse(database: Database): () => void {
  database.exec('INSERT OR REPLACE INTO in_use VALUES (1, 1)');
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.exec('UPDATE in_use SET needs_log = 0');
  return () => database.exec('DELETE FROM in_use');
}

/** Writes the mark again: throws where nothing can be written. SQLite writes no page for an update to the same value. */
export function markAgain(database: Database): void {
  database.transaction(() => database.exec('DELETE FROM in_use; INSERT INTO in_use VALUES (1, 0)'));
}

/** For a copy, which needs no log. */
export function unmarkInUse(database: DatabaseSync): void {
  if (hasTable(database, 'in_use')) database.exec('DELETE FROM in_use');
}

/** The file says that its latest changes are in its log, and has none. Any other connection than an unchanging one makes one. */
export function hasLostLog(unchanged: DatabaseSync, file: string): boolean {
  // In this order: a bot that starts meanwhile has a log before it has the mark.
  return (
    hasTable(unchanged, 'in_use') &&
    unchanged.prepare('SELECT 1 FROM in_use WHERE needs_log').get() !== undefined &&
    !existsSync(`${realpathSync(file)}-wal`)
  );
}
