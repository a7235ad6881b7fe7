import { once } from 'node:events';
import { basename } from 'node:path';
import { StoreError } from '../../base/errors.ts';
import { forEachInSlices } from '../../base/for-each-yielding.ts';
import { createMutex } from '../../base/mutex.ts';
import type { Chunk, HistoryChunks } from '../history-chunks.ts';
import { BUSY_MS, type Database, openDatabase } from './database.ts';

export const chunksTable = `
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

/** Chunks deleted by one statement: a month of a large community would hold everything up. */
const MAX_CHUNKS_DELETED = 50;

interface SqliteHistoryChunks extends HistoryChunks {
  close(): void;
}

/** A power cut may lose the last minutes, which then are a hole. Only one process can have the file. */
export function openSqliteHistoryChunks(file: string): SqliteHistoryChunks {
  return historyChunksIn(openDatabase(file, { durable: false }), file);
}

/** Kept until it is closed. */
export function temporaryHistoryChunks(): SqliteHistoryChunks {
  const database = openDatabase(':memory:', { durable: false });
  database.exec(chunksTable);
  return { ...historyChunksIn(database, ':memory:'), scrub: async () => [] };
}

function historyChunksIn(database: Database, file: string): SqliteHistoryChunks {
  const read = database.prepare(
    'SELECT * FROM chunks WHERE kind = ? AND key = ? AND start BETWEEN ? AND ? ORDER BY start',
  );
  const readKind = database.prepare(
    'SELECT * FROM chunks WHERE kind = ? AND start BETWEEN ? AND ? ORDER BY start, key',
  );
  const first = database.prepare('SELECT * FROM chunks WHERE kind = ? AND key = ? ORDER BY start LIMIT 1');
  const write = database.prepare(
    `INSERT INTO chunks (kind, key, start, text) VALUES (?1, ?2, ?3, ?4)
     ON CONFLICT (kind, key, start) DO UPDATE SET text = ?4`,
  );
  const remove = database.prepare('DELETE FROM chunks WHERE kind = ? AND key = ? AND start = ?');
  const prune = database.prepare(
    `DELETE FROM chunks WHERE rowid IN (SELECT rowid FROM chunks WHERE kind = ? AND start < ? LIMIT ${MAX_CHUNKS_DELETED})`,
  );
  const evict = database.prepare(
    `DELETE FROM chunks WHERE rowid IN (SELECT rowid FROM chunks ORDER BY start LIMIT ${MAX_CHUNKS_DELETED})`,
  );
  const size = database.prepare(
    `SELECT (page_count - freelist_count) * page_size AS bytes
     FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
  );

  const inTurn = createMutex();

  return {
    read: async ({ kind, key }, from, to) => read.all(kind, key, from, to).map(chunkOf),
    readKind: async (kind, from, to) => readKind.all(kind, from, to).map(chunkOf),
    first: async ({ kind, key }) => first.all(kind, key).map(chunkOf)[0] ?? null,
    write: (changes) =>
      inTurn(file, async () =>
        database.transaction(() => {
          for (const { kind, key, start, text } of changes) {
            if (text === null) remove.run(kind, key, start);
            else write.run(kind, key, start, text);
          }
          // No other process writes to the file.
          return true;
        }),
      ),
    prune: (kind, endExclusive) =>
      inTurn(file, () => repeat(() => prune.run(kind, endExclusive) === MAX_CHUNKS_DELETED)),
    evict: (maxBytes) =>
      inTurn(file, () => repeat(() => Number(size.get()?.['bytes']) > maxBytes && evict.run() > 0)),
    // Writes wait for it: SQLite would refuse them, after it has held up everything else.
    scrub: () => inTurn(file, () => rewrite(file)),
    close: () => database.close(),
  };
}

/** The table admits no other types. */
function chunkOf({ kind, key, start, text }: Readonly<Record<string, unknown>>): Chunk {
  return { kind: String(kind), key: String(key), start: Number(start), text: String(text) };
}

/** Until it returns false; everything else has its turn in between. */
async function repeat(step: () => boolean): Promise<void> {
  await forEachInSlices(
    (function* () {
      while (step()) yield;
    })(),
    () => {},
  );
}

/**
 * Copies what is left into new pages over the old ones, and plays the log, which holds the only other traces, into the
 * file. Of a year this takes a fifth of a second, and SQLite works on the thread that calls it.
 */
const REWRITE = `
const { parentPort, workerData } = require('node:worker_threads');
const { DatabaseSync } = require('node:sqlite');
const database = new DatabaseSync(workerData, { timeout: ${BUSY_MS} });
database.exec('VACUUM');
const { busy } = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
database.close();
parentPort.postMessage(busy);
`;

/** Resolves with the files that still hold traces. */
async function rewrite(file: string): Promise<readonly string[]> {
  const { Worker } = await import('node:worker_threads');
  const worker = new Worker(REWRITE, { eval: true, workerData: file });
  try {
    const [busy] = await once(worker, 'message');
    return busy === 0 ? [] : [`${basename(file)}-wal`];
  } catch (error) {
    throw new StoreError('the history could not be rewritten', { cause: error });
  }
}
