import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../base/errors.ts';
import { BUSY_MS } from './database.ts';
import { examineFile } from './examine-file.ts';
import { type Format, migrateDatabase } from './format.ts';
import { refusal } from './refusal.ts';
import { throwStartErrors } from './start-error.ts';

export function makeFolder(file: string): void {
  throwStartErrors(file, () => make(dirname(file)));
}

/** Step by step: where a folder takes no other one (/proc, an automounter), Node's own recursion never ends. */
function make(folder: string): void {
  const isThere = (): boolean => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isThere()) return;
  make(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have been faster.
    if (!isThere()) throw error;
  }
}

/**
 * Creates the file if missing, and migrates an older version. Throws a {@link StartError} that says what is wrong with it;
 * a file that is damaged or not ours is left unchanged. The connection that it returns is for its caller to close, after
 * others were opened: the last one to close plays the log into the file, which waits for the disk.
 */
export function prepareFile(file: string, format: Format): DatabaseSync {
  return throwStartErrors(file, () => {
    // Before the first connection that may write: closing one plays the log into the file, damaged or not.
    const why = refusal(file, format, examineFile(file, format, 'quick_check'));
    if (why !== null) throw new StartError(why);
    using failing = new DisposableStack();
    const database = failing.use(new DatabaseSync(file, { timeout: BUSY_MS }));
    migrateDatabase(database, format);
    failing.move();
    return database;
  });
}
