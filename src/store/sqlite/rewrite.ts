/**
 * Deleting alone leaves traces: old row contents stay in page gaps when rows move between pages, which `secure_delete`
 * does not reach, and in the write-ahead log. So the table of documents is written anew, its old pages are zeroed, and the
 * log is emptied.
 */
import { setImmediate } from 'node:timers/promises';
import { type Clock, sleep } from '../../base/clock.ts';
import { SECOND } from '../../base/duration.ts';
import { StoreError } from '../../base/errors.ts';
import { documentsTableNamed } from '../tables/documents.ts';
import { type Database, openDatabase } from './database.ts';

/** Time in ms after which a transaction takes no further row: with its end, it stays below 20. */
const TRANSACTION_MS = 2;
/** Pages of the log that are played into the file at once; more would take longer than a transaction. */
const MAX_PLAYED_PAGES = 64;
/** How often the log is played into a file that another program reads, and the pause before each further time, in ms. */
const MAX_PLAY_ATTEMPTS = 60;
const PLAY_INTERVAL_MS = SECOND;

const NEW = 'documents_new';
const OLD = 'documents_old';

/**
 * While rows are copied, what is written to the table is written to its copy as well. Without OR REPLACE: a trigger resolves
 * a conflict as the statement that fires it says.
 */
const BEGIN = `
  ${documentsTableNamed(NEW)}
  ${['INSERT', 'UPDATE']
    .map(
      (event) => `CREATE TRIGGER documents_after_${event} AFTER ${event} ON documents BEGIN
        DELETE FROM ${NEW} WHERE collection = new.collection AND key = new.key;
        INSERT INTO ${NEW} VALUES (new.collection, new.key, new.text);
      END;`,
    )
    .join('\n')}
  CREATE TRIGGER documents_after_DELETE AFTER DELETE ON documents BEGIN
    DELETE FROM ${NEW} WHERE collection = old.collection AND key = old.key;
  END;
`;
const DROP_TRIGGERS = ['INSERT', 'UPDATE', 'DELETE']
  .map((event) => `DROP TRIGGER IF EXISTS documents_after_${event};`)
  .join('\n');
const SWAP = `
  ${DROP_TRIGGERS}
  ALTER TABLE documents RENAME TO ${OLD};
  ALTER TABLE ${NEW} RENAME TO documents;
`;

/**
 * Rewrites the documents of a file that is in use, in transactions of a few milliseconds between which everything else has
 * its turn. The table of that name is whole at each moment: whatever ends the process, any version can start with the file,
 * and the next rewrite begins anew.
 */
export async function rewriteDocuments(
  file: string,
  { clock, signal }: { readonly clock: Pick<Clock, 'after'>; readonly signal: AbortSignal },
): Promise<void> {
  using database = openDatabase(file, { durable: false });
  database.exec(`PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = ${MAX_PLAYED_PAGES}`);

  /** Runs the step until it returns false. */
  async function repeat(step: () => boolean): Promise<void> {
    let hasMore = true;
    while (hasMore) {
      await setImmediate();
      signal.throwIfAborted();
      database.transaction(() => {
        const deadline = performance.now() + TRANSACTION_MS;
        do hasMore = step();
        while (hasMore && performance.now() < deadline);
      });
    }
  }

  /** Drops the table, if there is one, row by row: SQLite overwrites each page that becomes free. */
  async function drop(table: string): Promise<void> {
    if (!hasTable(database, table)) return;
    const remove = database.prepare(
      `DELETE FROM ${table} WHERE (collection, key) IN (SELECT collection, key FROM ${table} LIMIT 1)`,
    );
    await repeat(() => remove.run() > 0);
    database.exec(`DROP TABLE ${table}`);
  }

  // An interrupted rewrite may have left rows that were deleted since.
  database.transaction(() => database.exec(DROP_TRIGGERS));
  for (const table of [NEW, OLD]) await drop(table);
  database.transaction(() => database.exec(BEGIN));
  const copy = database.prepare(
    `INSERT OR REPLACE INTO ${NEW} SELECT * FROM documents WHERE (collection, key) > (?, ?)
     ORDER BY collection, key LIMIT 1 RETURNING collection, key`,
  );
  let at = { collection: '', key: '' };
  await repeat(() => {
    const row = copy.get(at.collection, at.key);
    if (row === undefined) return false;
    at = { collection: String(row['collection']), key: String(row['key']) };
    return true;
  });
  database.transaction(() => database.exec(SWAP));
  await drop(OLD);
  await emptyLog(database, clock, signal);
}

/** Rewrites a copy at once, since nobody uses it. */
export function rewriteCopy(database: Database): void {
  database.exec('PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY');
  database.transaction(() =>
    database.exec(`
      ${DROP_TRIGGERS}
      DROP TABLE IF EXISTS ${NEW};
      DROP TABLE IF EXISTS ${OLD};
      CREATE TEMP TABLE remaining AS SELECT * FROM documents;
      DELETE FROM documents;
      INSERT INTO documents SELECT * FROM remaining;
      DROP TABLE remaining;
    `),
  );
  if (!playLog(database)) throw new StoreError('another program reads the copy');
}

function hasTable(database: Database, name: string): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined;
}

/** False: another program reads what is in the log. */
function playLog(database: Database): boolean {
  return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0;
}

async function emptyLog(database: Database, clock: Pick<Clock, 'after'>, signal: AbortSignal): Promise<void> {
  // Waiting within SQLite would hold everything up.
  database.exec('PRAGMA busy_timeout = 0');
  for (let attempt = 1; attempt <= MAX_PLAY_ATTEMPTS; attempt += 1) {
    if (playLog(database)) return;
    await sleep(clock, PLAY_INTERVAL_MS, signal);
  }
  throw new StoreError('another program reads the file of the store and keeps its log');
}
