/** Why a file is refused, and what to do: in the same words at the start, from the doctor and from the tools. */
import { existsSync } from 'node:fs';
import { copyPath } from './copies.ts';
import { type FileState, newestGoodCopy } from './examine-file.ts';
import { placeOf } from './file-lock.ts';
import { type Format, historyFormat } from './format.ts';
import { at } from './start-error.ts';

const FAULTS = {
  newer: 'was written by a newer version of Pitwall',
  older: 'was written by a version of Pitwall before 1.0.0',
  foreign: 'belongs to another program',
  damaged: 'is damaged or not a database',
} as const;

const away = (file: string): string => `away, with ${file}-wal and ${file}-shm where they exist`;

/** Returns why the bot would not start with a file in that state, or would run without its history; null if neither. */
export function refusal(file: string, format: Format, state: FileState): string | null {
  return format === historyFormat ? historyRefusal(file, state) : fileRefusal(file, state);
}

function fileRefusal(file: string, state: FileState): string | null {
  // A restore works where the file really is.
  const leftover = copyPath(placeOf(file), 'restoring');
  if (existsSync(leftover))
    return `${at(file)} was being restored when that was interrupted; finish it: ${restoreCommand(leftover)}`;
  if (state === 'good' || state === 'missing') return null;
  const copy = newestGoodCopy(file);
  const command = copy === null ? null : restoreCommand(copy);
  // The mark of ownership may be what is damaged: with copies beside it, the file was ours.
  const fault = state === 'foreign' && command !== null ? 'damaged' : state;
  switch (fault) {
    case 'newer':
      return `${at(file)} ${FAULTS.newer}; run that version, or name another file`;
    case 'older':
      return `${at(file)} ${FAULTS.older}, which none after it reads; move ${file} ${away(file)}, to start with an empty one`;
    case 'foreign':
      return `${at(file)} ${FAULTS.foreign}; name another file`;
    case 'damaged':
      return command === null
        ? `${at(file)} ${FAULTS.damaged}, and there is no good copy of it beside it; to start with an empty one, move ${file} ${away(file)}`
        : `${at(file)} ${FAULTS.damaged}; restore its newest good copy: ${command}`;
    case 'empty':
      return command === null
        ? null
        : `${at(file)} is empty, but there are copies of it; restore the newest: ${command}; or delete ${file} to start with an empty one`;
    case 'without log': {
      const restored = command === null ? '' : `, or restore the newest copy: ${command}`;
      // The log holds what was stored since it was last played into the file.
      return `${at(file)} has lost ${file}-wal, which holds all changes since its last start; put that back${restored}; to go on with what the file itself holds: ${restoreCommand(file)}`;
    }
  }
}

function historyRefusal(file: string, state: FileState): string | null {
  if (state === 'good' || state === 'missing' || state === 'empty' || state === 'without log') return null;
  return `STORE_URL: the history ${file} ${FAULTS[state]}; restore one, or move it ${away(file)}, and a new one begins`;
}

/** Returns why a copy cannot take the place of the file; null if it can. */
export function copyRefusal(copy: string, state: FileState | 'unreadable'): string | null {
  const why = {
    missing: "does not exist; name a copy of the store's file",
    empty: 'holds nothing',
    newer: `${FAULTS.newer}; restore it with that version`,
    older: `${FAULTS.older}, which none after it reads`,
    foreign: `is not a copy of the store: it ${FAULTS.foreign}`,
    damaged: `${FAULTS.damaged}; take another copy`,
    unreadable: 'cannot be read; check its path and permissions',
  };
  return state === 'good' || state === 'without log' ? null : `${copy} ${why[state]}`;
}

function restoreCommand(copy: string): string {
  const isPlain = /^[\w./:-]+$/.test(copy);
  return `npm run restore -- ${isPlain ? copy : `'${copy.replaceAll("'", "'\\''")}'`}`;
}
