import { once } from 'node:events';
import { existsSync, renameSync } from 'node:fs';
import { basename } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { DAY } from '../../base/duration.ts';
import { StoreError } from '../../base/errors.ts';
import { createMutex } from '../../base/mutex.ts';
import type { HistoryStore } from '../history-store.ts';
import { historyTables } from '../tables/history.ts';
import { copyPath, giveToOwnerOf, momentInName } from './copies.ts';
import { copyFile, openToCopy } from './copy-file.ts';
import { BUSY_MS, type Database, hasTable, openDatabase } from './database.ts';
import { historyFormat } from './format.ts';
import { createSqliteSql } from './sql.ts';

interface SqliteHistory extends HistoryStore {
  close(): void;
}

/** A power cut may lose the last minutes, which then are a hole. Only one process can have the file. */
export function openSqliteHistory(file: string): SqliteHistory {
  const database = openDatabase(file, { durable: false });
  return historyIn(database, () => rewrite(file), {
    hasTables: hasTable(database, 'drivers'),
    async makeCopy(now) {
      const store = file.replace(/\.history(?=\.[^.]*$|$)/, '');
      const day = momentInName(Math.floor(now / DAY) * DAY);
      const copy = copyPath(store, `${day}.history`);
      const via = copyPath(store, `${day}.unfinished.history`);
      if (existsSync(copy)) return;
      await copyFile(() => openToCopy(file, historyFormat), via);
      giveToOwnerOf(file, via);
      renameSync(via, copy);
    },
  });
}

/** Kept until it is closed. */
export function openTemporaryHistory(): SqliteHistory {
  const database = openDatabase(':memory:', { durable: false });
  database.exec(historyTables);
  return historyIn(database, async () => [], null);
}

function historyIn(
  database: Database,
  scrub: HistoryStore['scrub'],
  earlier: HistoryStore['earlier'],
): SqliteHistory {
  const inTurn = createMutex();
  const { rowsAtOnce, read, write } = createSqliteSql(database, systemClock);
  return {
    rowsAtOnce,
    read,
    earlier,
    // A rewrite of the file lets nobody write: they wait for each other.
    write: (work, durable) => inTurn('', () => write(work, durable)),
    scrub: () => inTurn('', scrub),
    close: () => database.close(),
  };
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
