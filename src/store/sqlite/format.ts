import type { DatabaseSync } from 'node:sqlite';
import { documentsTable, namedTable } from '../tables/documents.ts';
import { entriesTable } from '../tables/entries.ts';
import { historyTables } from '../tables/history.ts';
import { hasTable } from './database.ts';
import { useMarkTable } from './use-mark.ts';

/** How a file of ours is made: all of its tables, version by version. */
export interface Format {
  /** Each entry migrates from the version of its index to the next. Never edit a released one. */
  readonly migrations: readonly string[];
  /** A table that a file of every version has. */
  readonly table: string;
  /** A table that a file from before the first release has as well. */
  readonly oldTable?: string;
}

/** `tables`: tables of modules that have their own connection to the file. */
export function storeFormat(tables: string): Format {
  return {
    migrations: [entriesTable + documentsTable + useMarkTable + tables, namedTable],
    table: 'documents',
    oldTable: 'entries',
  };
}

/** As which version 2.0 kept history. Its table stays, and is empty once its chunks have become rows. */
const chunksTable = `
  CREATE TABLE chunks (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    -- Unix milliseconds.
    start INTEGER NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (kind, key, start)
  ) STRICT;
  CREATE INDEX chunks_by_start ON chunks (start);
`;

export const historyFormat: Format = { migrations: [chunksTable, historyTables], table: 'chunks' };

/** Marks the file as ours in SQLite's header field: "Pitw". */
const APPLICATION_ID = 0x50_69_74_77;

/**
 * `newer`: by a newer version of Pitwall. `older`: from before the first release. `foreign`: by another program, or another
 * file of ours.
 */
export type Unusable = 'newer' | 'older' | 'foreign';

/** The version that wrote the file, 0 for an empty one; or whose it is. */
export function identifyFormat(
  database: DatabaseSync,
  { migrations, table, oldTable = '' }: Format,
): number | Unusable {
  if (isEmpty(database)) return 0;
  if (numberIn(database, 'PRAGMA application_id') !== APPLICATION_ID) return 'foreign';
  if (!hasTable(database, table)) return hasTable(database, oldTable) ? 'older' : 'foreign';
  const version = numberIn(database, 'PRAGMA user_version');
  return version > migrations.length ? 'newer' : version;
}

function isEmpty(database: DatabaseSync): boolean {
  return numberIn(database, 'SELECT count(*) FROM sqlite_schema') === 0;
}

function numberIn(database: DatabaseSync, query: string): number {
  return Number(Object.values(database.prepare(query).get() ?? {})[0]);
}

/** Migrates a file of ours, or an empty one, to the newest version, all or nothing. */
export function migrateDatabase(database: DatabaseSync, { migrations }: Format): void {
  const version = isEmpty(database) ? 0 : numberIn(database, 'PRAGMA user_version');
  // A new file has nothing to go back to, and a journal waits for the disk. Each commit writes whole pages for a row or two.
  if (version === 0) database.exec('PRAGMA page_size = 1024; PRAGMA journal_mode = MEMORY');
  // WAL is a persistent setting of the file: a crashed process loses nothing, and readers never wait for a writer.
  // NORMAL lets all tables wait for the disk once; a power cut may take them, and they are made again.
  database.exec('PRAGMA synchronous = NORMAL; PRAGMA journal_mode = WAL');
  if (version === migrations.length) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    for (const migration of migrations.slice(version)) database.exec(migration);
    database.exec(
      `PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}; COMMIT`,
    );
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
