import { StoreError } from '../../base/errors.ts';
import type { Database } from './database.ts';

const forgetting: Readonly<Record<string, string>> = {
  board: `UPDATE board SET settings = json_set(settings, '$.madeBy', '') WHERE settings ->> 'madeBy' = ?`,
};

/**
 * Removes a person from a file, to the last byte. Deleting alone leaves traces: old row contents stay in page gaps
 * when rows move between pages, which `secure_delete` does not reach, and in the write-ahead log. So every table
 * that names people is rewritten, which with `secure_delete` zeroes all its old pages; the tables are small. Then
 * the log is emptied.
 */
export function forgetIn(database: Database, personId: string): void {
  database.exec('PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY');
  database.transaction(() => {
    for (const [table, statement] of Object.entries(forgetting)) {
      if (!hasTable(database, table)) continue;
      database.prepare(statement).run(personId);
      database.exec(`
        CREATE TEMP TABLE remaining AS SELECT * FROM main.${table} ORDER BY rowid;
        DELETE FROM main.${table};
        INSERT INTO main.${table} SELECT * FROM remaining ORDER BY rowid;
        DROP TABLE remaining;`);
    }
  });
  const busy = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'];
  if (busy !== 0) throw new StoreError('the write-ahead log is in use and could not be emptied');
}

export function hasTable(database: Database, name: string): boolean {
  return (
    database.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(name) !== undefined
  );
}
