import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../base/errors.ts';
import { BUSY_MS } from './database.ts';
import { isDamage, isWhole } from './examine-file.ts';
import { historyFormat, identify, migrate, type Unusable } from './format.ts';
import { orStartError } from './start-error.ts';

/**
 * Creates the file of the history if missing, and migrates an older version. Throws a {@link StartError} that says
 * what is wrong with it; a file that is damaged or not ours is left unchanged. Without it, history begins again.
 */
export function prepareHistory(file: string): void {
  orStartError(file, () => {
    try {
      using database = new DatabaseSync(file, { timeout: BUSY_MS });
      const version = identify(database, historyFormat);
      if (typeof version === 'string') throw refused(file, version);
      database.exec('PRAGMA synchronous = NORMAL; PRAGMA journal_mode = WAL');
      if (!isWhole(database, 'quick_check')) throw refused(file, 'damaged');
      migrate(database, historyFormat, version);
    } catch (error) {
      throw isDamage(error) ? refused(file, 'damaged') : error;
    }
  });
}

function refused(file: string, what: Unusable | 'damaged'): StartError {
  const why = {
    newer: 'was written by a newer version of Pitwall',
    unreleased: 'was written by a Pitwall before its first release',
    foreign: 'belongs to another program',
    damaged: 'is damaged or not a database',
  }[what];
  return new StartError(
    `STORE_URL: the history ${file} ${why}; to begin a new one, move it away, with ${file}-wal and ${file}-shm where they exist`,
  );
}
