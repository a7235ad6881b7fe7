import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { resultCode, SQLITE_BUSY, StartError } from '../../base/errors.ts';
import { at, throwStartErrors } from './start-error.ts';

/** How long to wait for another process that starts at the same moment and may give way, in ms. */
const WAIT_MS = 2000;
/** Links in a row that are followed, as by SQLite. */
const MAX_LINKS = 100;

/** `since`: unix milliseconds. */
const LockHolder = z.object({ pid: z.number(), host: z.string(), since: z.number() });
type LockHolder = z.output<typeof LockHolder>;

interface FileLock {
  /** The process that had it before did not end in order. */
  readonly isAfterCrash: boolean;
  /** `isInOrder`: the process ends, and not because of a fault. */
  release(isInOrder: boolean): void;
}

/**
 * Locks the store's file for this process. Throws a {@link StartError} that names the process that has it. The lock is SQLite's
 * own, on a file beside the store: the operating system releases it when the process ends in any way, so no stale lock is possible.
 */
export function lockFile(file: string): FileLock {
  const path = lockOf(file);
  return throwStartErrors(path, () => {
    const database = new DatabaseSync(path, { timeout: WAIT_MS });
    try {
      // Without WAL: other processes can still read the holder of the lock. Without waiting for the disk:
      // it is of no use after a power cut.
      database.exec(`PRAGMA synchronous = OFF;
        PRAGMA journal_mode = DELETE;
        BEGIN IMMEDIATE;
        CREATE TABLE IF NOT EXISTS holder (
          id INTEGER PRIMARY KEY CHECK (id = 1), pid INTEGER NOT NULL, host TEXT NOT NULL, since INTEGER NOT NULL
        ) STRICT`);
      const isAfterCrash = holderIn(database) !== null;
      database
        .prepare('INSERT OR REPLACE INTO holder VALUES (1, ?, ?, ?)')
        .run(process.pid, hostname(), Date.now());
      // The second transaction stays open: it is the lock.
      database.exec('COMMIT; BEGIN IMMEDIATE');
      return {
        isAfterCrash,
        release(isInOrder) {
          try {
            if (isInOrder) database.exec('DELETE FROM holder; COMMIT');
          } catch (error) {
            // On a full disk, for example: the next start takes this end for a crash, which costs it nothing.
            if (resultCode(error) === null) throw error;
          } finally {
            database.close();
          }
        },
      };
    } catch (error) {
      const holder = resultCode(error) === SQLITE_BUSY ? holderIn(database) : null;
      database.close();
      throw holder === null ? error : new StartError(inUse(file, holder));
    }
  });
}

/** Null: no process has the file now. One that takes it meanwhile waits for a moment. Throws where none can. */
export function lockHolder(file: string): LockHolder | null {
  const path = lockOf(file);
  if (!existsSync(path)) return null;
  return throwStartErrors(path, () => {
    using database = new DatabaseSync(path, { timeout: 0 });
    try {
      database.exec('BEGIN IMMEDIATE; ROLLBACK');
      return null;
    } catch (error) {
      if (resultCode(error) !== SQLITE_BUSY) throw error;
      return holderIn(database);
    }
  });
}

export function lockOf(file: string): string {
  return `${placeOf(file)}.lock`;
}

/** Path of the file, also before it exists: a link may lead to a missing file. Throws if it cannot be reached. */
export function placeOf(file: string, links = 0): string {
  return throwStartErrors(file, () => {
    if (existsSync(file)) return realpathSync(file);
    const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    if (!isLink || links === MAX_LINKS) return file;
    return placeOf(resolve(dirname(file), readlinkSync(file)), links + 1);
  });
}

function holderIn(database: DatabaseSync): LockHolder | null {
  return LockHolder.safeParse(database.prepare('SELECT pid, host, since FROM holder').get()).data ?? null;
}

function inUse(file: string, { pid, host, since }: LockHolder): string {
  const began = new Date(since)
    .toISOString()
    .replace(/:\d\d\.\d+Z$/, ' UTC')
    .replace('T', ' ');
  return `${at(file)} is in use by another Pitwall (process ${pid} on ${host}, since ${began}); stop that one first, or use another file`;
}
