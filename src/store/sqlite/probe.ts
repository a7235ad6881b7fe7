import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { historyFile } from './copies.ts';
import { openDatabase } from './database.ts';
import {
  countContents,
  type Examined,
  examineFile,
  examineHistory,
  newestGoodCopy,
  openUnchanged,
} from './examine-file.ts';
import { lockHolder } from './file-lock.ts';
import { refusedFile } from './prepare-file.ts';
import { adviceIfEmptied, adviceOn, unfinishedRestore } from './restore-advice.ts';
import { createSqliteSql } from './sql.ts';
import { toStartError } from './start-error.ts';
import { hasLostLog } from './use-mark.ts';

export interface SqliteFacts {
  readonly kind: 'sqlite';
  readonly file: string;
  /** `missing`: the bot creates it. */
  readonly state: Examined | 'missing';
  /** Why the bot would not start with it, and what to do; null where it would. */
  readonly trouble: string | null;
  /** Why the bot would run without its history, and what to do; null where it would not. */
  readonly history: string | null;
  readonly bytes: number;
  /** Free bytes of the disk for this user. */
  readonly freeBytes: number;
  readonly usedBy: ReturnType<typeof lockHolder>;
  /** The newest good copy beside it. */
  readonly newestCopy: string | null;
}

export function probeSqlite(file: string, collections: readonly string[]) {
  const facts = examine(file);
  const isUsable = facts.state === 'good' && facts.trouble === null;
  const database = isUsable ? openDatabase(file, { durable: false }) : null;
  const documents = isUsable ? countContents(file).documents : new Map<string, readonly string[]>();
  return {
    facts,
    documents: new Map([...documents].filter(([name]) => collections.includes(name))),
    ledger: database === null ? null : createSqliteSql(database, systemClock),
    close: () => database?.close(),
  };
}

function examine(file: string): SqliteFacts {
  const isThere = existsSync(file);
  const state = isThere ? examineFile(file) : 'missing';
  const folder = nearestFolder(file);
  const { bavail, bsize } = statfsSync(folder);
  return {
    kind: 'sqlite',
    file,
    state,
    ...startFacts(file, state, folder),
    history: historyTrouble(historyFile(file)),
    bytes: isThere ? statSync(file).size : 0,
    freeBytes: bavail * bsize,
  };
}

/** In the order of a start, which would end where this fails. */
function startFacts(file: string, state: SqliteFacts['state'], folder: string) {
  const isThere = state !== 'missing';
  try {
    const usedBy = lockHolder(file);
    const trouble = unfinishedRestore(file) ?? troubleOf(file, state) ?? rightsTrouble(file, folder, isThere);
    return { usedBy, trouble, newestCopy: isThere ? newestGoodCopy(file) : null };
  } catch (error) {
    return { usedBy: null, trouble: toStartError(file, error).message, newestCopy: null };
  }
}

function troubleOf(file: string, state: SqliteFacts['state']): string | null {
  if (state === 'missing') return null;
  if (state === 'empty') return adviceIfEmptied(file);
  if (state !== 'good') return adviceOn(file, state);
  using database = openUnchanged(file);
  return hasLostLog(database, file) ? adviceOn(file, 'without log') : null;
}

function historyTrouble(file: string): string | null {
  const state = existsSync(file) ? examineHistory(file) : 'empty';
  if (state === 'unreadable') return `STORE_URL: the history ${file} cannot be read; check its permissions`;
  return state === 'good' || state === 'empty' ? null : refusedFile(file, state).message;
}

function rightsTrouble(file: string, folder: string, isThere: boolean): string | null {
  if (!mayWrite(folder))
    return `STORE_URL: the folder ${folder} cannot be written to; give it to the user that the bot runs as`;
  if (isThere && !mayWrite(file))
    return `STORE_URL: the database ${file} cannot be written to; give it to the user that the bot runs as`;
  return null;
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The folder that holds the file, or the one in which the bot would create that folder. */
function nearestFolder(file: string): string {
  const folder = dirname(file);
  return existsSync(folder) || folder === dirname(folder) ? folder : nearestFolder(folder);
}
