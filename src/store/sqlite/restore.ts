import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../../base/clock.ts';
import { StartError } from '../../base/errors.ts';
import type { Sql } from '../../base/sql.ts';
import { copyPath, giveToOwnerOf, historyFile, momentInName } from './copies.ts';
import { copyFile } from './copy-file.ts';
import { guardConnection } from './database.ts';
import { type Contents, countContents, examineCopy, openUnchanged } from './examine-file.ts';
import { lockFile, lockOf, placeOf } from './file-lock.ts';
import { historyFormat } from './format.ts';
import { makeFolder } from './prepare-file.ts';
import { copyRefusal } from './refusal.ts';
import { createSqliteSql } from './sql.ts';
import { toStartError } from './start-error.ts';

interface RestoreParts {
  /** Unix milliseconds. */
  readonly now: number;
  /** Carries over what must not be older than in the file that is replaced; null where that cannot be read. */
  readonly carry: (replaced: Sql | null, restored: Sql) => Promise<void>;
}

interface Restored {
  readonly contents: Contents;
  /** Path of the replaced file; null: there was none. */
  readonly replaced: string | null;
  /** The copy had its history beside it, which is then back, too. */
  readonly history: boolean;
}

/**
 * Puts a checked copy in the place of the store's file, and keeps the file that it replaces; the same with its history,
 * where the copy has one beside it. Whenever it is killed, the old file is complete in its place or beside it, and the
 * bot starts with the old one, with the restored one, or not at all. Throws a {@link StartError} that says what is wrong with the copy, or which process has the file.
 */
export async function restoreFile(
  file: string,
  from: string,
  { now, carry }: RestoreParts,
): Promise<Restored> {
  // A link to the file stays a link.
  const place = placeOf(file);
  const state = examineCopy(from);
  if (state === 'foreign' && examineCopy(from, historyFormat) === 'good')
    throw new StartError(
      `${from} is a copy of history; name that of the store, and its history comes with it`,
    );
  refuse(from, state);
  const isThere = existsSync(file);
  makeFolder(place);
  const lock = lockFile(place);
  try {
    giveToOwnerOf(place, lockOf(place));
    // Before the file itself: from then on a killed restore has to be finished.
    const history = await prepareHistory(file, from);
    const checked = await prepareRestored(place, from, carry);
    const replaced = isThere ? keepBeside(place, history === null ? null : file, now) : null;
    if (history !== null) replace(historyFile(file), history);
    replace(place, checked);
    return { contents: countContents(place), replaced, history: history !== null };
  } catch (error) {
    throw toStartError(file, error);
  } finally {
    lock.release(true);
  }
}

function replace(place: string, checked: string): void {
  // A log beside the file belongs to the old one, and would be played into the new one.
  for (const end of ['-wal', '-shm']) rmSync(place + end, { force: true });
  giveToOwnerOf(place, checked);
  renameSync(checked, place);
  flush(dirname(place));
}

/** Makes the new history beside the old one; null where the copy has none. Alone it means nothing to the bot. */
async function prepareHistory(file: string, from: string): Promise<string | null> {
  const checked = historyFile(copyPath(file, 'restoring'));
  const copy = historyFile(from);
  // A killed restore may have left it.
  if (copy !== checked) rmSync(checked, { force: true });
  if (!existsSync(copy) || isSame(copy, historyFile(file))) return null;
  refuse(copy, examineCopy(copy, historyFormat), ALONE);
  await copyChecked(copy, historyFile(copyPath(file, 'unfinished')), checked, async (unfinished) =>
    refuse(copy, examineCopy(unfinished, historyFormat), ALONE),
  );
  return checked;
}

/** A file whose lost log is given up is its own copy. */
function isSame(path: string, otherPath: string): boolean {
  return existsSync(otherPath) && realpathSync(path) === realpathSync(otherPath);
}

const ALONE = '. To restore the store without its history, move that file away';

function refuse(copy: string, state: ReturnType<typeof examineCopy>, otherwise = ''): void {
  const why = copyRefusal(copy, state);
  if (why !== null) throw new StartError(`${why}${otherwise}`);
}

/** Makes the new file beside the old one. Its name says that a restore has begun. */
async function prepareRestored(place: string, from: string, carry: RestoreParts['carry']): Promise<string> {
  const checked = copyPath(place, 'restoring');
  await copyChecked(from, copyPath(place, 'unfinished'), checked, async (unfinished) => {
    refuse(from, examineCopy(unfinished));
    using restored = new DatabaseSync(unfinished);
    using replaced = openLatest(place);
    await carry(replaced === null ? null : over(replaced), over(restored));
  });
  flush(dirname(place));
  return checked;
}

/** The copy has its name once `check` has not thrown and it is on the disk. */
async function copyChecked(
  from: string,
  unfinished: string,
  checked: string,
  check: (unfinished: string) => Promise<void>,
): Promise<void> {
  await copyFile(
    () => openUnchanged(from),
    unfinished,
    async () => {
      await check(unfinished);
      flush(unfinished);
      renameSync(unfinished, checked);
    },
  );
}

const over = (connection: DatabaseSync): Sql => createSqliteSql(guardConnection(connection), systemClock);

/** Null for a file that is missing, damaged or not ours, or lacks what was stored last. */
function openLatest(file: string): DatabaseSync | null {
  return ['good', 'newer'].includes(examineCopy(file)) ? openUnchanged(file) : null;
}

/**
 * Gives the old file a second name, with its log; and its history, where that is replaced as well: a file with two names
 * that goes on being written is damaged by whoever opens the other one. `file`: as the bot names it; null: without history.
 */
function keepBeside(place: string, file: string | null, now: number): string {
  const middle = `replaced-${momentInName(now)}`;
  const secondName = copyPath(place, middle);
  // A restore in the same second has the same name.
  if (existsSync(secondName)) return keepBeside(place, file, now + 1000);
  const renames = [[place, secondName] as const];
  if (file !== null) renames.push([historyFile(file), historyFile(copyPath(file, middle))]);
  for (const [original, keptName] of renames)
    for (const end of ['', '-wal']) if (existsSync(original + end)) addName(original + end, keptName + end);
  flush(dirname(place));
  return secondName;
}

function addName(path: string, another: string): void {
  try {
    linkSync(path, another);
  } catch {
    // Some file systems have one name for each file.
    copyFileSync(path, another);
    flush(another);
  }
}

/** Until what was written there is on the disk. Windows flushes no folders, and files only if they may be written. */
function flush(path: string): void {
  const isFolder = statSync(path).isDirectory();
  if (isFolder && process.platform === 'win32') return;
  const opened = openSync(path, isFolder ? 'r' : 'r+');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
