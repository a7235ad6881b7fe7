import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Keyv } from 'keyv';
import { StartError } from '../../errors.ts';
import { guildSettingsTable } from '../guild-settings.ts';
import { linksTable } from '../links.ts';
import { subscriptionsTable } from '../subscriptions.ts';
import { entriesTable, sqliteAdapter } from './keyv-adapter.ts';

/** What must outlive a restart, in one file. */
export interface Store {
  /**
   * Keys with JSON values and a time to live. `name` is used once; of more than `maxRows` rows (and a few) those
   * that were written longest ago go. Failures are thrown, never told as a miss.
   */
  namespace(name: string, limits: { readonly maxRows: number }): Keyv;
  close(): void;
}

/** How long one process waits for another that writes to the same file. */
const BUSY_MS = 2000;

/** Each entry takes the file from the version of its index to the next one. Never edit one that was released. */
const migrations = [entriesTable, linksTable + guildSettingsTable + subscriptionsTable];

/** Opens the file, making it and its folder where they are missing. Throws a {@link StartError} that says what is wrong with it. */
export function openStore(file: string): Store {
  const database = open(file);
  const taken = new Set<string>();
  return {
    namespace(name, { maxRows }) {
      // Two adapters of one name would each count only their own writes.
      if (taken.has(name)) throw new RangeError(`the namespace ${name} is already in use`);
      taken.add(name);
      const keyv = new Keyv({
        store: sqliteAdapter(database, name, maxRows),
        // The adapter keeps namespaces apart; Keyv's own prefix mistakes keys that begin like it.
        useKeyPrefix: false,
        serialize: JSON.stringify,
        deserialize: JSON.parse,
        throwOnErrors: true,
        emitErrors: false,
      });
      return keyv;
    },
    close: () => database.close(),
  };
}

function open(file: string): DatabaseSync {
  let database: DatabaseSync | null = null;
  try {
    mkdirSync(dirname(file), { recursive: true });
    database = new DatabaseSync(file, { timeout: BUSY_MS });
    // Before the first write: a file that is not ours, or that a newer version wrote, stays as it is.
    const version = versionOf(database, file);
    // In this mode a process that dies loses nothing, and a power cut at most the last writes.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    const damage = database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
    if (damage !== 'ok') throw new StartError(`${at(file)} is damaged; ${MEND}`);
    if (version < migrations.length) migrate(database, file);
    return database;
  } catch (error) {
    database?.close();
    throw error instanceof StartError ? error : new StartError(`${at(file)} ${whatIsWrong(error)}`);
  }
}

/** Marks the file as ours, in the place that SQLite has for it: "Pitw". */
const APPLICATION_ID = 0x50_69_74_77;
const MEND = 'move it away to start with an empty one, or restore it from a copy';
const at = (file: string): string => `STORE_URL: the database ${file}`;

/** 0 for an empty file. */
function versionOf(database: DatabaseSync, file: string): number {
  const number = (statement: string): number =>
    Number(Object.values(database.prepare(statement).get() ?? {})[0]);
  if (number('SELECT count(*) FROM sqlite_schema') === 0) return 0;
  if (number('PRAGMA application_id') !== APPLICATION_ID)
    throw new StartError(`${at(file)} belongs to another program; name another file`);
  const version = number('PRAGMA user_version');
  if (version > migrations.length)
    throw new StartError(
      `${at(file)} was written by a newer version of Pitwall; use that one, or another file`,
    );
  return version;
}

function migrate(database: DatabaseSync, file: string): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    // Asked again: another process may have been faster.
    for (const migration of migrations.slice(versionOf(database, file))) database.exec(migration);
    database.exec(
      `PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}; COMMIT`,
    );
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

/** SQLite's own result codes: https://sqlite.org/rescode.html */
function whatIsWrong(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'errcode') : undefined;
  switch (typeof code === 'number' ? code & 0xff : null) {
    case 5:
    case 6:
      return 'is locked by another process; stop that one first';
    case 8:
      return 'may not be written to; check its owner and rights and those of its folder';
    case 11:
    case 26:
      return `is damaged or not a database; ${MEND}`;
    case 13:
      return 'has no room left on its disk';
    case 14:
      return 'cannot be opened; check that its folder exists and may be written to';
    default: {
      const reason: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
      return `cannot be opened (${typeof reason === 'string' ? reason : 'for an unknown reason'}); check its path and rights`;
    }
  }
}
