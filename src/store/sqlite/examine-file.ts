import { existsSync, realpathSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { resultCode } from '../../base/errors.ts';
import { textIn } from '../../base/sql.ts';
import { namedLike } from './copies.ts';
import { BUSY_MS } from './database.ts';
import { type Format, identifyFormat, storeFormat, type Unusable } from './format.ts';
import { hasLostLog } from './use-mark.ts';

/** `empty`: nothing was ever stored in it. `without log`: it lacks what was stored last. */
export type FileState = 'good' | 'missing' | 'empty' | 'without log' | 'damaged' | Unusable;

/**
 * Examines a file without changing it, or leaving anything beside it; throws if it cannot be read. `quick_check` reads the
 * tables, `integrity_check` compares the indexes with them as well; null: neither.
 */
export function examineFile(
  path: string,
  format: Format,
  check: 'quick_check' | 'integrity_check' | null = 'integrity_check',
): FileState {
  if (!existsSync(path)) return 'missing';
  try {
    using database = openUnchanged(path);
    const version = identifyFormat(database, format);
    if (typeof version === 'string') return version;
    if (version === 0) return 'empty';
    if (hasLostLog(database, path)) return 'without log';
    const isWhole = check === null || database.prepare(`PRAGMA ${check}(1)`).get()?.[check] === 'ok';
    return isWhole ? 'good' : 'damaged';
  } catch (error) {
    if (DAMAGED.includes(resultCode(error) ?? 0)) return 'damaged';
    throw error;
  }
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGED: readonly number[] = [11, 26];

/** Examines a file that the bot can do without. */
export function examineCopy(path: string, format = storeFormat('')): FileState | 'unreadable' {
  try {
    return examineFile(path, format);
  } catch {
    return 'unreadable';
  }
}

export function newestGoodCopy(file: string): string | null {
  return namedLike(file, 'daily', 'byHand').findLast((path) => examineCopy(path) === 'good') ?? null;
}

/** Opens a file for reading only. */
export function openUnchanged(path: string): DatabaseSync {
  const file = realpathSync(path);
  const url = pathToFileURL(file);
  // Without a log beside it the file is all there is; SQLite would still create a log, and leave it there.
  if (!existsSync(`${file}-wal`)) url.searchParams.set('immutable', '1');
  return new DatabaseSync(url, { readOnly: true, timeout: BUSY_MS });
}

export interface Contents {
  /** The texts of its documents, by collection. */
  readonly documents: ReadonlyMap<string, readonly string[]>;
  /** Number of stored answers of the data service. */
  readonly answers: number;
}

/** Contents of a good file. */
export function countContents(path: string): Contents {
  using database = openUnchanged(path);
  const all = database.prepare('SELECT collection, text FROM documents').all();
  const byCollection = Map.groupBy(all, (row) => textIn(row, 'collection'));
  return {
    documents: new Map(
      [...byCollection].map(([name, documents]) => [name, documents.map((row) => textIn(row, 'text'))]),
    ),
    answers: Number(database.prepare('SELECT count(*) AS n FROM entries').get()?.['n']),
  };
}
