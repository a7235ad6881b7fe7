import { realpathSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { resultCode } from '../../base/errors.ts';
import { namedLike } from './copies.ts';
import { BUSY_MS } from './database.ts';
import { type Format, historyFormat, identifyFormat, storeFormat, type Unusable } from './format.ts';
import { hasLog } from './use-mark.ts';

/** `empty`: nothing was ever stored in it. */
export type Examined = 'good' | 'empty' | 'damaged' | 'unreadable' | Unusable;

/** Judges a file without changing it, or leaving anything beside it. */
export function examineFile(path: string): Examined {
  return examine(path, storeFormat(''));
}

/** Examines a file of history. */
export function examineHistory(path: string): Examined {
  return examine(path, historyFormat);
}

function examine(path: string, format: Format): Examined {
  try {
    using database = openUnchanged(path);
    const version = identifyFormat(database, format);
    if (typeof version === 'string') return version;
    if (version === 0) return 'empty';
    return isWhole(database, 'integrity_check') ? 'good' : 'damaged';
  } catch (error) {
    return isDamage(error) ? 'damaged' : 'unreadable';
  }
}

/** Opens a file for reading only. */
export function openUnchanged(path: string): DatabaseSync {
  const file = realpathSync(path);
  const url = pathToFileURL(file);
  // Without a log beside it the file is all there is; SQLite would still create a log, and leave it there.
  if (!hasLog(file)) url.searchParams.set('immutable', '1');
  return new DatabaseSync(url, { readOnly: true, timeout: BUSY_MS });
}

/** `quick_check` reads the tables, `integrity_check` compares the indexes with them as well. */
export function isWhole(database: DatabaseSync, check: 'quick_check' | 'integrity_check'): boolean {
  return database.prepare(`PRAGMA ${check}(1)`).get()?.[check] === 'ok';
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGED: readonly number[] = [11, 26];

export function isDamage(error: unknown): boolean {
  return DAMAGED.includes(resultCode(error) ?? 0);
}

export function newestGoodCopy(file: string): string | null {
  return namedLike(file, 'daily', 'byHand').findLast((path) => examineFile(path) === 'good') ?? null;
}

export interface Contents {
  /** The texts of its documents, by collection. */
  readonly documents: ReadonlyMap<string, readonly string[]>;
  /** Number of stored answers of the data service. */
  readonly answers: number;
}

const Row = z.object({ collection: z.string(), text: z.string() });

/** Contents of a good file. */
export function countContents(path: string): Contents {
  using database = openUnchanged(path);
  const all = database
    .prepare('SELECT collection, text FROM documents')
    .all()
    .map((row) => Row.parse(row));
  const byCollection = Map.groupBy(all, ({ collection }) => collection);
  return {
    documents: new Map(
      [...byCollection].map(([name, documents]) => [name, documents.map(({ text }) => text)]),
    ),
    answers: Number(database.prepare('SELECT count(*) AS n FROM entries').get()?.['n']),
  };
}
