/** What is said of a file that the bot cannot start with, and the command that brings its newest good copy back. */
import { existsSync, realpathSync } from 'node:fs';
import { copyPath, namedLikeCopies } from './copies.ts';
import { examineFile } from './examine-file.ts';
import type { Unusable } from './format.ts';
import { at } from './start-error.ts';

export function damaged(file: string): string {
  const copy = newestGoodCopy(file);
  return copy === null
    ? `${at(file)} is damaged or not a database, and there is no good copy of it beside it; to start with an empty one, move ${file} away, with ${file}-wal and ${file}-shm where they exist`
    : `${at(file)} is damaged or not a database; restore its newest good copy: ${restoreCommand(copy)}`;
}

/** What says whose it is can be what is damaged: with copies beside it, the file was ours. */
export function unusable(file: string, why: Unusable): string {
  if (why !== 'newer' && newestGoodCopy(file) !== null) return damaged(file);
  const says = {
    newer: 'was written by a newer version of Pitwall; run that version, or name another file',
    foreign: 'belongs to another program; name another file',
  };
  return `${at(file)} ${says[why]}`;
}

/** For an existing file that holds nothing; null where there is nothing that it could have held. */
export function emptied(file: string): string | null {
  const copy = newestGoodCopy(file);
  return copy === null
    ? null
    : `${at(file)} is empty, but there are copies of it; restore the newest: ${restoreCommand(copy)}; or delete ${file} to start with an empty one`;
}

/** The log holds what was stored since it was last played into the file. */
export function withoutLog(file: string): string {
  const copy = newestGoodCopy(file);
  const restored = copy === null ? '' : `, or restore the newest copy: ${restoreCommand(copy)}`;
  return `${at(file)} has lost ${file}-wal, which holds all changes since its last start; put that back${restored}; to go on with what the file itself holds: ${restoreCommand(file)}`;
}

/** Null unless a restore of this file was interrupted after its copy had been checked. */
export function unfinishedRestore(file: string): string | null {
  // A restore works where the file really is.
  const left = copyPath(existsSync(file) ? realpathSync(file) : file, 'restoring');
  return existsSync(left)
    ? `${at(file)} was being restored when that was interrupted; finish it: ${restoreCommand(left)}`
    : null;
}

function newestGoodCopy(file: string): string | null {
  return namedLikeCopies(file).findLast((path) => examineFile(path) === 'good') ?? null;
}

function restoreCommand(copy: string): string {
  const isPlain = /^[\w./:-]+$/.test(copy);
  return `npm run restore -- ${isPlain ? copy : `'${copy.replaceAll("'", "'\\''")}'`}`;
}
