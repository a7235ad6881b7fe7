import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../errors.ts';
import { historyFile, namedLikeCopies } from './copies.ts';
import { BUSY_MS, resultCode } from './database.ts';
import { guildSettingsTable } from './guild-settings.ts';
import { chunksTable } from './history-chunks.ts';
import { entriesTable } from './keyv-adapter.ts';
import { correctionsTable, hiddenColumn, linksTable } from './links.ts';
import { at, orStartError } from './start-error.ts';
import { subscriptionsTable } from './subscriptions.ts';

/** Each entry migrates from the version of its index to the next. Never edit a released one. */
const storeMigrations: readonly string[] = [
  entriesTable,
  linksTable + guildSettingsTable + subscriptionsTable,
  correctionsTable,
  hiddenColumn,
];
const historyMigrations: readonly string[] = [chunksTable];

export function makeFolder(file: string): void {
  orStartError(file, () => mkdirSync(dirname(file), { recursive: true }));
}

/**
 * Creates the file and the one of its history if missing, and migrates older versions. Throws a {@link StartError}
 * that says what is wrong with them; a file that is not ours is left unchanged.
 */
export function prepareFile(file: string): void {
  prepare(file, storeMigrations);
  prepare(historyFile(file), historyMigrations);
}

function prepare(file: string, migrations: readonly string[]): void {
  orStartError(file, () => {
    let database: DatabaseSync | null = null;
    try {
      database = new DatabaseSync(file, { timeout: BUSY_MS });
      // Before the first write: a file of another program or of a newer version is left unchanged.
      const version = versionOf(database, file, migrations);
      // A persistent setting of the file: a crashed process loses nothing, and readers never wait for a writer.
      database.exec('PRAGMA journal_mode = WAL');
      if (!isWhole(database)) throw new StartError(damaged(file, migrations));
      if (version < migrations.length) migrate(database, file, migrations);
    } catch (error) {
      throw DAMAGED.includes(resultCode(error) ?? 0) ? new StartError(damaged(file, migrations)) : error;
    } finally {
      database?.close();
    }
  });
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGED: readonly number[] = [11, 26];

function isWhole(database: DatabaseSync): boolean {
  return database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] === 'ok';
}

function damaged(file: string, migrations: readonly string[]): string {
  const copy = namedLikeCopies(file).findLast((path) => isGoodCopy(path, migrations));
  const away = `move ${file} away, with ${file}-wal and ${file}-shm where they exist`;
  return copy === undefined
    ? `${at(file)} is damaged or not a database, and there is no good copy of it beside it; ${away}, to start with an empty one`
    : `${at(file)} is damaged or not a database; to go back to its newest good copy, ${away}, and rename ${copy} to ${file}`;
}

function isGoodCopy(path: string, migrations: readonly string[]): boolean {
  try {
    using database = new DatabaseSync(path, { readOnly: true });
    return versionOf(database, path, migrations) > 0 && isWhole(database);
  } catch {
    return false;
  }
}

/** Marks the file as ours in SQLite's header field: "Pitw". */
const APPLICATION_ID = 0x50_69_74_77;

/** 0 for an empty file. */
function versionOf(database: DatabaseSync, file: string, migrations: readonly string[]): number {
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

function migrate(database: DatabaseSync, file: string, migrations: readonly string[]): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    for (const migration of migrations.slice(versionOf(database, file, migrations))) database.exec(migration);
    database.exec(
      `PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}; COMMIT`,
    );
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
