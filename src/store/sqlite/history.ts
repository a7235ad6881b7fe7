import { once } from 'node:events';
import { basename } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { StoreError } from '../../base/errors.ts';
import { sql } from '../../base/sql.ts';
import type { HistoryChunks } from '../history-chunks.ts';
import { chunksTable, createChunks } from '../tables/chunks.ts';
import { BUSY_MS, type Database, openDatabase } from './database.ts';
import { createSqliteSql } from './sql.ts';

interface SqliteHistoryChunks extends HistoryChunks {
  close(): void;
}

/** A power cut may lose the last minutes, which then are a hole. Only one process can have the file. */
export function openSqliteHistoryChunks(file: string): SqliteHistoryChunks {
  return chunksIn(openDatabase(file, { durable: false }), () => rewrite(file));
}

/** Kept until it is closed. */
export function temporaryHistoryChunks(): SqliteHistoryChunks {
  const database = openDatabase(':memory:', { durable: false });
  database.exec(chunksTable);
  return chunksIn(database, async () => []);
}

/** Pages in use: what a deletion has freed is written again. */
const BYTES = sql`SELECT (page_count - freelist_count) * page_size AS bytes
  FROM pragma_page_count, pragma_freelist_count, pragma_page_size`;

function chunksIn(database: Database, scrub: HistoryChunks['scrub']): SqliteHistoryChunks {
  const chunks = createChunks(createSqliteSql(database, systemClock), { bytes: BYTES, scrub });
  return { ...chunks, close: () => database.close() };
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
