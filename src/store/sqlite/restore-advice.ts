/** Message about a file that the bot cannot start with, and the command that brings its newest good copy back. */
import { existsSync } from 'node:fs';
import { copyPath } from './copies.ts';
import { type Examined, newestGoodCopy } from './examine-file.ts';
import { placeOf } from './file-lock.ts';
import { at } from './start-error.ts';

export function adviceOn(file: string, state: Exclude<Examined, 'good' | 'empty'> | 'without log'): string {
  switch (state) {
    case 'damaged':
      return damaged(file);
    case 'unreadable':
      return `${at(file)} cannot be read; check its path and permissions`;
    case 'newer':
      return `${at(file)} was written by a newer version of Pitwall; run that version, or name another file`;
    case 'older':
      return `${at(file)} was written by a version of Pitwall before 1.0.0, which none after it reads; move ${file} away, with ${file}-wal and ${file}-shm where they exist, to start with an empty one`;
    case 'foreign':
      // The mark of ownership may be what is damaged: with copies beside it, the file was ours.
      return newestGoodCopy(file) === null
        ? `${at(file)} belongs to another program; name another file`
        : damaged(file);
    case 'without log':
      return withoutLog(file);
  }
}

function damaged(file: string): string {
  const copy = newestGoodCopy(file);
  return copy === null
    ? `${at(file)} is damaged or not a database, and there is no good copy of it beside it; to start with an empty one, move ${file} away, with ${file}-wal and ${file}-shm where they exist`
    : `${at(file)} is damaged or not a database; restore its newest good copy: ${restoreCommand(copy)}`;
}

/** For an existing file that holds nothing; null where there is nothing that it could have held. */
export function adviceIfEmptied(file: string): string | null {
  const copy = newestGoodCopy(file);
  return copy === null
    ? null
    : `${at(file)} is empty, but there are copies of it; restore the newest: ${restoreCommand(copy)}; or delete ${file} to start with an empty one`;
}

/** The log holds what was stored since it was last played into the file. */
function withoutLog(file: string): string {
  const copy = newestGoodCopy(file);
  const restored = copy === null ? '' : `, or restore the newest copy: ${restoreCommand(copy)}`;
  return `${at(file)} has lost ${file}-wal, which holds all changes since its last start; put that back${restored}; to go on with what the file itself holds: ${restoreCommand(file)}`;
}

/** Null unless a restore of this file was interrupted after its copy had been checked. */
export function unfinishedRestore(file: string): string | null {
  // A restore works where the file really is.
  const leftover = copyPath(placeOf(file), 'restoring');
  return existsSync(leftover)
    ? `${at(file)} was being restored when that was interrupted; finish it: ${restoreCommand(leftover)}`
    : null;
}

function restoreCommand(copy: string): string {
  const isPlain = /^[\w./:-]+$/.test(copy);
  return `npm run restore -- ${isPlain ? copy : `'${copy.replaceAll("'", "'\\''")}'`}`;
}
