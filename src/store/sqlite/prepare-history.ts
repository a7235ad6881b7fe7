import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../base/errors.ts';
import { BUSY_MS } from './database.ts';
import { identify, isDamage, isWhole } from './examine-file.ts';
import { APPLICATION_ID, historyMigrations } from './schema.ts';
import { orStartError } from './start-error.ts';

/**
 * Creates the file of the history if missing, and migrates an older version. Throws a {@link StartError} that says
 * what is wrong with it; a file that is damaged or not ours is left unchanged. Without it, history begins again.
 */
export function prepareHistory(file: string): void {
  orStartError(file, () => {
    try {
      using database = new DatabaseSync(file, { timeout: BUSY_MS });
      const version = identify(database, historyMigrations.length);
      if (typeof version === 'string') throw refused(file, version);
      database.exec('PRAGMA synchronous = NORMAL; PRAGMA journal_mode = WAL');
      if (!isWhole(database, 'quick_check')) throw refused(file, 'damaged');
      migrate(database, version);
    } catch (error) {
      throw isDamage(error) ? refused(file, 'damaged') : error;
    }
  });
}

function refused(file: string, what: 'newer' | 'foreign' | 'damaged'): StartError {
  const why = {
    newer: 'was written by a newer version of Pitwall',
    foreign: 'belongs to another program',
    damaged: 'is damaged or not a database',
  }[what];
  return new StartError(
    `STORE_URL: the history ${file} ${why}; to begin a new one, move it away, with ${file}-wal and ${file}-shm where they exist`,
  );
}

function migrate(database: DatabaseSync, version: number): void {
  if (version === historyMigrations.length) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    for (const migration of historyMigrations.slice(version)) database.exec(migration);
    database.exec(
      `PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${historyMigrations.length}; COMMIT`,
    );
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
