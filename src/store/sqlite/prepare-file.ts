import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../base/errors.ts';
import { BUSY_MS } from './database.ts';
import { isDamage, isWhole, openUnchanged } from './examine-file.ts';
import { type Format, historyFormat, identifyFormat, migrateDatabase, type Unusable } from './format.ts';
import { adviceIfEmptied, adviceOn, unfinishedRestore } from './restore-advice.ts';
import { orStartError } from './start-error.ts';
import { hasLostLog } from './use-mark.ts';

export function makeFolder(file: string): void {
  orStartError(file, () => make(dirname(file)));
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
  return orStartError(file, () => {
    const unfinished = unfinishedRestore(file);
    if (unfinished !== null) throw new StartError(unfinished);
    // Before the first connection that may write: closing one plays the log into the file, damaged or not.
    if (existsSync(file)) check(file, format);
    return open(file, (database) => migrateDatabase(database, format, versionOf(database, file, format)));
  });
}

/** Closes it where the work fails. */
function open(file: string, prepare: (database: DatabaseSync) => void): DatabaseSync {
  using failing = new DisposableStack();
  const database = failing.use(new DatabaseSync(file, { timeout: BUSY_MS }));
  prepare(database);
  failing.move();
  return database;
}

function check(file: string, format: Format): void {
  try {
    using database = openUnchanged(file);
    const advice = versionOf(database, file, format) === 0 ? adviceIfEmptied(file) : null;
    if (advice !== null) throw new StartError(advice);
    refuseWithoutLog(database, file);
    if (!isWhole(database, 'quick_check')) throw new StartError(adviceOn(file, 'damaged'));
  } catch (error) {
    throw isDamage(error) ? new StartError(adviceOn(file, 'damaged')) : error;
  }
}

function refuseWithoutLog(unchanged: DatabaseSync, file: string): void {
  if (hasLostLog(unchanged, file)) throw new StartError(adviceOn(file, 'without log'));
}

/** For a copy, beside a bot that may write to it. */
export function openToCopy(file: string): DatabaseSync {
  {
    using unchanged = openUnchanged(file);
    refuseWithoutLog(unchanged, file);
  }
  return new DatabaseSync(file, { timeout: BUSY_MS, readOnly: true });
}

/** 0 for an empty file. */
function versionOf(database: DatabaseSync, file: string, format: Format): number {
  const version = identifyFormat(database, format);
  if (typeof version === 'string') throw new StartError(adviceOn(file, version));
  return version;
}

/** Prepares the file of the history. Without it, history begins again. */
export function prepareHistory(file: string): DatabaseSync {
  return orStartError(file, () => {
    try {
      return open(file, (database) => {
        const version = identifyFormat(database, historyFormat);
        if (typeof version === 'string') throw refusedFile(file, version);
        if (!isWhole(database, 'quick_check')) throw refusedFile(file, 'damaged');
        migrateDatabase(database, historyFormat, version);
      });
    } catch (error) {
      throw isDamage(error) ? refusedFile(file, 'damaged') : error;
    }
  });
}

export function refusedFile(file: string, fault: Unusable | 'damaged'): StartError {
  const why = {
    newer: 'was written by a newer version of Pitwall',
    older: 'was written by a version of Pitwall before 1.0.0',
    foreign: 'belongs to another program',
    damaged: 'is damaged or not a database',
  }[fault];
  return new StartError(
    `STORE_URL: the history ${file} ${why}; restore one, or move it away, with ${file}-wal and ${file}-shm where they exist, and a new one begins`,
  );
}
