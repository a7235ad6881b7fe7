import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { historyFile } from './copies.ts';
import { freeBytesOf } from './daily-copy.ts';
import { openDatabase } from './database.ts';
import { countContents, examineFile, type FileState, newestGoodCopy } from './examine-file.ts';
import { lockHolder } from './file-lock.ts';
import { historyFormat, storeFormat } from './format.ts';
import { refusal } from './refusal.ts';
import { createSqliteSql } from './sql.ts';
import { toStartError } from './start-error.ts';

export interface SqliteFacts {
  readonly kind: 'sqlite';
  readonly file: string;
  /** `missing`: the bot creates it. */
  readonly state: FileState | 'unreadable';
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
  const folder = nearestFolder(file);
  const facts: SqliteFacts = {
    kind: 'sqlite',
    file,
    ...startFacts(file, folder),
    history: historyTrouble(historyFile(file)),
    bytes: existsSync(file) ? statSync(file).size : 0,
    freeBytes: freeBytesOf(folder),
  };
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

/** In the order of a start, which would end where this fails. */
function startFacts(file: string, folder: string) {
  try {
    const usedBy = lockHolder(file);
    const format = storeFormat('');
    const state = examineFile(file, format);
    const trouble = refusal(file, format, state);
    if (trouble === null)
      for (const path of state === 'missing' ? [folder] : [folder, file]) accessSync(path, constants.W_OK);
    return { usedBy, state, trouble, newestCopy: state === 'missing' ? null : newestGoodCopy(file) };
  } catch (error) {
    const trouble = toStartError(file, error).message;
    return { usedBy: null, state: 'unreadable', trouble, newestCopy: null } as const;
  }
}

function historyTrouble(file: string): string | null {
  try {
    return refusal(file, historyFormat, examineFile(file, historyFormat));
  } catch (error) {
    return toStartError(file, error).message;
  }
}

/** The folder that holds the file, or the one in which the bot would create that folder. */
function nearestFolder(file: string): string {
  const folder = dirname(file);
  return existsSync(folder) || folder === dirname(folder) ? folder : nearestFolder(folder);
}
