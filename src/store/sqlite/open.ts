import { statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { StartError, StoreError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { createMutex } from '../../base/mutex.ts';
import { createNamespaces } from '../namespaces.ts';
import { readOnce } from '../read-once.ts';
import type { Stores } from '../stores.ts';
import { createDocuments, fillNamed } from '../tables/documents.ts';
import { createEntries } from '../tables/entries.ts';
import { historyFile, namedLike, removeUnfinished } from './copies.ts';
import { makeDailyCopy, newestDay } from './daily-copy.ts';
import { guardConnection, openDatabase } from './database.ts';
import { lockFile } from './file-lock.ts';
import { UNREACHED } from './forget-in-copies.ts';
import { historyFormat, storeFormat } from './format.ts';
import { openSqliteHistory, openTemporaryHistory } from './history.ts';
import { makeFolder, prepareFile } from './prepare-file.ts';
import { rewriteDocuments } from './rewrite.ts';
import { createSqliteSql } from './sql.ts';
import { markAgain, markInUse } from './use-mark.ts';

/**
 * Creates the file and its folder if missing, with these tables of other modules. Rejects with a {@link StartError} that
 * says what is wrong with the file, or which process is using it.
 */
export async function openSqliteStores(
  file: string,
  parts: { readonly clock: Clock; readonly log: Log },
  tables: string,
): Promise<Stores> {
  makeFolder(file);
  const lock = lockFile(file);
  try {
    using prepared = prepareFile(file, storeFormat(tables));
    await fillNamed(createSqliteSql(guardConnection(prepared), parts.clock));
    return createSqliteStores(file, parts, lock);
  } catch (error) {
    lock.release(false);
    throw error;
  }
}

/** The file must have been prepared. `lock`: null if other processes may write to the file as well. */
export function createSqliteStores(
  file: string,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  lock: ReturnType<typeof lockFile> | null,
): Stores {
  // Answers can be fetched again; people's decisions cannot.
  const answers = openDatabase(file, { durable: false });
  const decisions = openDatabase(file, { durable: true });
  // Each of its transactions says whether it waits for the disk.
  const permits = openDatabase(file, { durable: false });
  /** The daily copy and a deletion from the copies, which wait for each other. */
  const inTurn = createMutex();
  const storedAnswers = createSqliteSql(answers, clock);
  const storedDocuments = createDocuments(createSqliteSql(decisions, clock));
  const documents =
    lock === null ? storedDocuments : readOnce(storedDocuments, clock, { isSoleWriter: true });
  const { history, historyTrouble } = openHistory(file, log);
  const isInPlace = watchPlace(file);
  const unmark = markInUse(answers);
  let isInOrder = false;
  return {
    isShared: false,
    hasPeers: false,
    // The file is locked.
    lock: {
      isSure: () => true,
      isAfterCrash: lock?.isAfterCrash ?? false,
      hasStandby: async () => false,
      countHolders: async () => 1,
      lost: new Promise(() => {}),
      async release() {
        isInOrder = true;
      },
    },
    ledger: createSqliteSql(permits, clock),
    namespace: createNamespaces((name, limits) => createEntries(storedAnswers, name, limits)),
    documents,
    clean: ({ inCopies, copiesCleaned, signal }) =>
      inTurn('', async () => {
        removeUnfinished(file, (path, error) => log.error({ copy: path, err: error }, UNREACHED));
        const copies = namedLike(file, 'daily', 'byHand', 'replaced');
        await inCopies(copies);
        await copiesCleaned();
        await rewriteDocuments(file, { isInUse: true, clock, signal });
        // Made by hand meanwhile.
        const newCopies = namedLike(file, 'byHand').filter((copy) => !copies.includes(copy));
        if (newCopies.length > 0) await inCopies(newCopies);
      }),
    history,
    historyTrouble,
    historyCopies: () =>
      [...namedLike(file, 'history'), ...(historyTrouble === null ? [] : [historyFile(file)])].map(
        (path) => ({
          name: basename(path),
          open: () => openSqliteHistory(path),
        }),
      ),
    async checkWrites() {
      if (!isInPlace())
        throw new StoreError(
          `its file ${file} was deleted or replaced; all that is stored since the start is lost when the bot stops`,
        );
      // A full or read-only disk shows at the write itself; to wait for the disk four times a minute would wear it out.
      markAgain(answers);
    },
    copies: {
      make: (now) => inTurn('', () => makeDailyCopy(file, now)),
      newestDay: () => newestDay(file),
    },
    // The file is locked.
    takenOver: new Promise(() => {}),
    async close() {
      history.close();
      try {
        unmark();
      } catch (error) {
        // The mark of use stays, and so does the log that it asks for.
        log.error({ err: error }, 'the store could not be closed in order');
      }
      for (const database of [answers, permits, decisions]) database.close();
      lock?.release(isInOrder);
    },
  };
}

/** Nothing depends on it: where what is kept cannot be used, the bot runs with one that ends with it. */
function openHistory(file: string, log: Log) {
  try {
    using _prepared = prepareFile(historyFile(file), historyFormat);
    return { history: openSqliteHistory(historyFile(file)), historyTrouble: null };
  } catch (error) {
    // A full disk passes; one that begins anew would leave a hole.
    if (!(error instanceof StartError) || error.exitCode === 75) throw error;
    log.error(
      { why: error.message },
      'history cannot be used; what is recorded now is lost at the next stop',
    );
    return { history: openTemporaryHistory(), historyTrouble: error.message };
  }
}

/** The path still leads to the file of now. */
function watchPlace(file: string): () => boolean {
  const { ino, dev } = statSync(file);
  return () => {
    const now = statSync(file, { throwIfNoEntry: false });
    return now?.ino === ino && now.dev === dev;
  };
}
