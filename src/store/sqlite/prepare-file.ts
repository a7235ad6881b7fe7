import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../errors.ts';
import { BUSY_MS, resultCode } from './database.ts';
import { guildSettingsTable } from './guild-settings.ts';
import { entriesTable } from './keyv-adapter.ts';
import { correctionsTable, linksTable } from './links.ts';
import { subscriptionsTable } from './subscriptions.ts';

/** Each entry takes the file from the version of its index to the next one. Never edit one that was released. */
const migrations = [entriesTable, linksTable + guildSettingsTable + subscriptionsTable, correctionsTable];

/**
 * Makes the file and its folder where they are missing, and brings one of an older version up to date. Throws a
 * {@link StartError} that says what is wrong with it; a file that is not ours stays as it is.
 */
export function prepareFile(file: string): void {
  let database: DatabaseSync | null = null;
  try {
    mkdirSync(dirname(file), { recursive: true });
    database = new DatabaseSync(file, { timeout: BUSY_MS });
    // Before the first write: a file that is not ours, or that a newer version wrote, stays as it is.
    const version = versionOf(database, file);
    // The file remembers this mode: a process that dies loses nothing, and readers never wait for a writer.
    database.exec('PRAGMA journal_mode = WAL');
    const damage = database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
    if (damage !== 'ok') throw new StartError(`${at(file)} is damaged; ${MEND}`);
    if (version < migrations.length) migrate(database, file);
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(`${at(file)} ${whatIsWrong(error)}`);
  } finally {
    database?.close();
  }
}

/** Marks the file as ours, in the place that SQLite has for it: "Pitw". */
const APPLICATION_ID = 0x50_69_74_77;
const MEND = 'move it away to start empty, or restore a copy';
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
      `${at(file)} was written by a newer version of Pitwall; run that version, or name another file`,
    );
  return version;
}

function migrate(database: DatabaseSync, file: string): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    // Checked again: another process may have been faster.
    for (const migration of migrations.slice(versionOf(database, file))) database.exec(migration);
    database.exec(
      `PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}; COMMIT`,
    );
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

function whatIsWrong(error: unknown): string {
  switch (resultCode(error)) {
    case 5:
    case 6:
      return 'is locked by another process; stop that one first';
    case 8:
      return 'is read-only; check the owner and permissions of the file and its folder';
    case 11:
    case 26:
      return `is damaged or not a database; ${MEND}`;
    case 13:
      return 'is on a full disk; free some space';
    case 14:
      return 'cannot be opened; check that its folder exists and is writable';
    default: {
      const reason: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
      return `cannot be opened (${typeof reason === 'string' ? reason : 'for an unknown reason'}); check its path and permissions`;
    }
  }
}
