import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite';
import { StoreError } from '../../errors.ts';

/** One connection to the store's file. Where SQLite fails, every call throws a {@link StoreError}. */
export interface Database {
  prepare(statement: string): Statement;
  exec(statements: string): void;
  /** All of the work or nothing of it, and no other connection writes in between. */
  transaction<Result>(work: () => Result): Result;
  close(): void;
  [Symbol.dispose](): void;
}

interface Statement {
  /** How many rows it changed. */
  run(...values: readonly SQLInputValue[]): number;
  get(...values: readonly SQLInputValue[]): Row | undefined;
  all(...values: readonly SQLInputValue[]): readonly Row[];
}

type Row = Readonly<Record<string, SQLOutputValue>>;

/** How long one connection waits for another that writes to the same file. */
export const BUSY_MS = 2000;

/** Bytes of the write-ahead log that stay on the disk once they are written to the file. */
const LOG_LIMIT = 4 * 1024 * 1024;

/**
 * `durable`: a write is on the disk when its call returns, a power cut included, and what is deleted is overwritten
 * with zeros. Otherwise a process that dies loses nothing, but a power cut may take the last writes.
 */
export function openDatabase(file: string, options: { readonly durable: boolean }): Database {
  const connection = guarded(() => new DatabaseSync(file, { timeout: BUSY_MS }));
  const exec = (statements: string): void => guarded(() => connection.exec(statements));
  exec(
    options.durable ? 'PRAGMA synchronous = FULL; PRAGMA secure_delete = ON' : 'PRAGMA synchronous = NORMAL',
  );
  // A log of writes that once had to be long gives its room back.
  exec(`PRAGMA journal_size_limit = ${LOG_LIMIT}`);
  const close = (): void => connection.close();

  return {
    prepare(statement) {
      const prepared = guarded(() => connection.prepare(statement));
      return {
        run: (...values) => guarded(() => Number(prepared.run(...values).changes)),
        get: (...values) => guarded(() => prepared.get(...values)),
        all: (...values) => guarded(() => prepared.all(...values)),
      };
    },
    exec,
    transaction(work) {
      exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        exec('COMMIT');
        return result;
      } catch (error) {
        // SQLite ends the transaction by itself where the disk is full or fails.
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
    throw new StoreError(`SQLite failed with result code ${code}`, {
      cause: error,
      trouble: code === FULL ? 'full' : 'away',
    });
  }
}

/** SQLITE_FULL: the disk has no room left. */
const FULL = 13;

/** SQLite's primary result code (https://sqlite.org/rescode.html); null where the error is none of SQLite's. */
export function resultCode(error: unknown): number | null {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'errcode') : undefined;
  return typeof code === 'number' ? code & 0xff : null;
}
