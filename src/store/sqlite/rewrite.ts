/**
 * Deleting alone leaves traces: old row contents stay in page gaps when rows move between pages, which `secure_delete`
 * does not reach, and in the write-ahead log. So the tables with ids of people are written anew, their old pages are
 * zeroed, and the log is emptied.
 */
import { setImmediate } from 'node:timers/promises';
import { type Clock, sleep } from '../../base/clock.ts';
import { SECOND } from '../../base/duration.ts';
import { StoreError } from '../../base/errors.ts';
import { documentsTableNamed, namedTableNamed } from '../tables/documents.ts';
import { type Database, hasTable, openDatabase } from './database.ts';

/** Time in ms after which a transaction takes no further row: with its end, it stays below 20. */
const TRANSACTION_MS = 2;
/** Pages of the log that are played into the file at once; more would take longer than a transaction. */
const MAX_PLAYED_PAGES = 64;
/** How often the log is played into a file that another program reads, and the pause before each further time, in ms. */
const MAX_PLAY_ATTEMPTS = 60;
const PLAY_INTERVAL_MS = SECOND;

/** Tables with ids of people, and how a row is found. */
const TABLES = [
  { table: 'documents', create: documentsTableNamed, keys: ['collection', 'key'], values: ['text'] },
  { table: 'named', create: namedTableNamed, keys: ['person', 'collection', 'key'], values: [] },
] as const;

/** Returns the statements that rewrite a table, with the names of the tables that exist meanwhile. */
function rewriteOf({ table, create, keys, values }: (typeof TABLES)[number]) {
  const [copy, replaced] = [`${table}_new`, `${table}_old`];
  const key = keys.join(', ');
  const rowOf = (names: readonly string[], from: 'new' | 'old'): string =>
    names.map((name) => `${from}.${name}`).join(', ');
  const remove = (from: 'new' | 'old'): string =>
    `DELETE FROM ${copy} WHERE (${key}) = (${rowOf(keys, from)});`;
  const add = `INSERT INTO ${copy} VALUES (${rowOf([...keys, ...values], 'new')});`;
  // Without OR REPLACE: a trigger resolves a conflict as the statement that fires it says.
  const changes = { INSERT: remove('new') + add, UPDATE: remove('new') + add, DELETE: remove('old') };
  const events = Object.entries(changes);
  const dropTriggers = events.map(([event]) => `DROP TRIGGER IF EXISTS ${table}_after_${event};`).join('');
  return {
    table,
    keys,
    copies: [copy, replaced],
    dropTriggers,
    /** While rows are copied, what is written to the table is written to its copy as well. */
    begin:
      create(copy) +
      events
        .map(
          ([event, steps]) =>
            `CREATE TRIGGER ${table}_after_${event} AFTER ${event} ON ${table} BEGIN ${steps} END;`,
        )
        .join(''),
    copyNext: `INSERT OR REPLACE INTO ${copy} SELECT * FROM ${table} WHERE (${key}) > (${keys.map(() => '?').join(', ')})
      ORDER BY ${key} LIMIT ? RETURNING ${key}`,
    swap: `${dropTriggers} ALTER TABLE ${table} RENAME TO ${replaced}; ALTER TABLE ${copy} RENAME TO ${table};`,
    replaced,
  };
}

/**
 * Rewrites the documents of a file or of a copy. Each table of that name is whole at each moment: whatever ends the process,
 * any version can start with the file, and the next rewrite begins anew. `isInUse`: in transactions of a few milliseconds,
 * between which everything else has its turn.
 */
export async function rewriteDocuments(
  file: string,
  {
    isInUse,
    clock,
    signal,
  }: { readonly isInUse: boolean; readonly clock: Pick<Clock, 'after'>; readonly signal?: AbortSignal },
): Promise<void> {
  using database = openDatabase(file, { durable: !isInUse });
  database.exec(`PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = ${MAX_PLAYED_PAGES}`);

  /** A limit of SQLite: -1 is none. */
  const rowsAtOnce = isInUse ? 1 : -1;

  /** Runs the step until it returns false. */
  async function repeat(step: () => boolean): Promise<void> {
    let hasMore = true;
    while (hasMore) {
      await setImmediate();
      signal?.throwIfAborted();
      database.transaction(() => {
        const deadline = performance.now() + TRANSACTION_MS;
        do hasMore = step();
        while (hasMore && performance.now() < deadline);
      });
    }
  }

  /** Drops the table, if there is one, after its rows: SQLite overwrites each page that becomes free. */
  async function drop(table: string, key: string): Promise<void> {
    if (!hasTable(database, table)) return;
    const remove = database.prepare(
      `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} LIMIT ?)`,
    );
    await repeat(() => remove.run(rowsAtOnce) > 0);
    database.exec(`DROP TABLE ${table}`);
  }

  for (const { table, keys, copies, replaced, dropTriggers, begin, copyNext, swap } of TABLES.map(
    rewriteOf,
  )) {
    // A copy of version 2.0 has no index.
    if (!hasTable(database, table)) continue;
    const key = keys.join(', ');
    // An interrupted rewrite may have left rows that were deleted since.
    database.transaction(() => database.exec(dropTriggers));
    for (const copied of copies) await drop(copied, key);
    database.transaction(() => database.exec(begin));
    const copy = database.prepare(copyNext);
    let at = keys.map(() => '');
    await repeat(() => {
      const row = copy.all(...at, rowsAtOnce).at(-1);
      if (row === undefined) return false;
      at = keys.map((name) => String(row[name]));
      return true;
    });
    database.transaction(() => database.exec(swap));
    await drop(replaced, key);
  }
  await emptyLog(database, clock, signal);
}

async function emptyLog(
  database: Database,
  clock: Pick<Clock, 'after'>,
  signal: AbortSignal | undefined,
): Promise<void> {
  // Waiting within SQLite would hold everything up.
  database.exec('PRAGMA busy_timeout = 0');
  for (let attempt = 1; attempt <= MAX_PLAY_ATTEMPTS; attempt += 1) {
    if (database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0) return;
    await sleep(clock, PLAY_INTERVAL_MS, signal);
  }
  throw new StoreError('another program reads the file of the store and keeps its log');
}
