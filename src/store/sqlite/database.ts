import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite';
import { resultCode, SQLITE_BUSY, SQLITE_FULL, StoreError } from '../../base/errors.ts';

type Row = Readonly<Record<string, SQLOutputValue>>;

export type Database = ReturnType<typeof openDatabase>;

/** How long a connection waits for another one that is writing, in ms, while nothing else is to be done. */
export const BUSY_MS = 2000;
/** Wait for a lock while people wait for answers, in ms: the whole bot is blocked meanwhile. */
const RUNNING_BUSY_MS = 250;

/** Size in bytes at which the write-ahead log is played into the file, and to which it is truncated then. */
const MAX_LOG_BYTES = 4 * 1024 * 1024;

/**
 * One connection to the store's file. Where SQLite fails, every call throws a {@link StoreError}.
 * `durable`: a write is on the disk when its call returns, safe even from a power cut, and deleted data is
 * overwritten with zeros. Otherwise a crash of the process loses nothing, but a power cut may lose the last writes.
 */
export function openDatabase(file: string, options: { readonly durable: boolean }) {
  const connection = guarded(() => new DatabaseSync(file, { timeout: RUNNING_BUSY_MS }));
  const database = guardConnection(connection, RUNNING_BUSY_MS);
  database.exec(
    options.durable ? 'PRAGMA synchronous = FULL; PRAGMA secure_delete = ON' : 'PRAGMA synchronous = NORMAL',
  );
  const pageBytes = Number(database.prepare('PRAGMA page_size').get()?.['page_size']);
  database.exec(
    `PRAGMA journal_size_limit = ${MAX_LOG_BYTES}; PRAGMA wal_autocheckpoint = ${MAX_LOG_BYTES / pageBytes}`,
  );
  return database;
}

export function hasTable(
  database: { prepare(statement: string): { get(name: string): unknown } },
  name: string,
): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined;
}

/**
 * The connection, with failures as {@link StoreError}. `busyMs`: its wait for another program's lock. Transactions that follow one
 * which has waited in vain wait no more until one succeeds, so that a lock costs the bot one such wait, and not one for each person.
 */
export function guardConnection(connection: DatabaseSync, busyMs: number | null = null) {
  const exec = (statements: string): void => guarded(() => connection.exec(statements));
  const close = (): void => connection.close();
  let isLocked = false;

  function begin(): void {
    try {
      exec('BEGIN IMMEDIATE');
      setLocked(false);
    } catch (error) {
      if (error instanceof StoreError && resultCode(error.cause) === SQLITE_BUSY) setLocked(true);
      throw error;
    }
  }

  function setLocked(now: boolean): void {
    if (busyMs !== null && now !== isLocked) exec(`PRAGMA busy_timeout = ${now ? 0 : busyMs}`);
    isLocked = now;
  }

  return {
    prepare(statement: string) {
      const prepared = guarded(() => connection.prepare(statement));
      return {
        /** Returns the number of changed rows. */
        run: (...values: readonly SQLInputValue[]): number =>
          guarded(() => Number(prepared.run(...values).changes)),
        get: (...values: readonly SQLInputValue[]): Row | undefined => guarded(() => prepared.get(...values)),
        all: (...values: readonly SQLInputValue[]): readonly Row[] => guarded(() => prepared.all(...values)),
      };
    },
    exec,
    /** Runs the work atomically; no other connection writes in between. */
    transaction<Result>(work: () => Result): Result {
      begin();
      try {
        const result = work();
        exec('COMMIT');
        return result;
      } catch (error) {
        // SQLite rolls back by itself when the disk is full or fails.
        if (connection.isTransaction) exec('ROLLBACK');
        throw error;
      }
    },
    close,
    [Symbol.dispose]: close,
  };
}

function guarded<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const code = resultCode(error);
    if (code === null) throw error;
    throw new StoreError(`${REASONS[code] ?? 'the file of the store fails'} (SQLite result code ${code})`, {
      cause: error,
      trouble: code === SQLITE_FULL ? 'full' : 'away',
    });
  }
}

const REASONS: Readonly<Record<number, string>> = {
  [SQLITE_BUSY]: 'another program has locked the file of the store',
  8: 'the file of the store is read-only',
  10: 'the disk of the store fails',
  11: 'the file of the store is damaged',
  [SQLITE_FULL]: 'the disk of the store is full',
};
