import { existsSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, extname } from 'node:path';
import { StoreError } from '../../base/errors.ts';
import { copyPath, namedLike } from './copies.ts';
import { copyFile, openToCopy } from './copy-file.ts';
import { storeFormat } from './format.ts';

const MAX_COPIES = 7;
const MIB = 1024 * 1024;
/** Space that a copy leaves free on the disk, for the growth of the store itself. */
const MIN_FREE_BYTES = 64 * MIB;

/** Returns the free bytes of the disk for this user. */
export function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/**
 * Makes today's (UTC) copy unless it exists, and removes all but the newest seven. Resolves with whether a copy was made. Not
 * to be called again before that.
 */
export async function makeDailyCopy(file: string, now: number, freeBytes = freeBytesOf): Promise<boolean> {
  const today = copyPath(file, new Date(now).toISOString().slice(0, 10));
  if (existsSync(today)) return false;
  const unfinished = copyPath(file, 'unfinished');
  // A killed process's leftover would take the space that the store needs.
  rmSync(unfinished, { force: true });
  const neededBytes = statSync(file).size + MIN_FREE_BYTES;
  const free = freeBytes(dirname(file));
  if (free < neededBytes)
    throw new StoreError(
      `no room for a copy: ${Math.ceil(free / MIB)} MiB free, ${Math.ceil(neededBytes / MIB)} needed`,
      { trouble: 'full' },
    );
  // On its own connection, so that it blocks no writer.
  await copyFile(() => openToCopy(file, storeFormat('')), unfinished);
  renameSync(unfinished, today);
  const copies = namedLike(file, 'daily').filter((path) =>
    statSync(path, { throwIfNoEntry: false })?.isFile(),
  );
  // A clock that was ahead has left those of days to come: they go first, and never the one of today.
  const { ahead = [], past = [] } = Object.groupBy(copies, (path) => (path > today ? 'ahead' : 'past'));
  for (const old of [...ahead, ...past].slice(0, -MAX_COPIES)) rmSync(old);
  return true;
}

/** Returns the day (UTC) of the newest copy, as the unix milliseconds of its beginning; null: there is no copy. */
export function newestDay(file: string): number | null {
  const newest = namedLike(file, 'daily').at(-1);
  return newest === undefined ? null : Date.parse(basename(newest, extname(newest)).slice(-10));
}
