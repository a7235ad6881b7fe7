import { existsSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreError } from '../../base/errors.ts';
import { createMutex } from '../../base/mutex.ts';
import { copyDatabase, copyPath, namedLike } from './copies.ts';
import { openToCopy } from './prepare-file.ts';

const MAX_COPIES = 7;
/** Space that a copy leaves free on the disk, for the growth of the store itself. */
const MIN_FREE_BYTES = 64 * 1024 * 1024;

/** Free bytes of the disk that the file is on. */
function freeBytesOf(file: string): number {
  const { bavail, bsize } = statfsSync(dirname(file));
  return bavail * bsize;
}

export function createDailyCopy(file: string, freeBytes = freeBytesOf) {
  /** The copy in progress; a killed process's leftover is overwritten by the next one. */
  const unfinished = copyPath(file, 'unfinished');
  const mutex = createMutex();

  async function makeNow(now: number): Promise<boolean> {
    const today = copyPath(file, new Date(now).toISOString().slice(0, 10));
    if (existsSync(today)) return false;
    rmSync(unfinished, { force: true });
    const neededBytes = statSync(file).size + MIN_FREE_BYTES;
    const free = freeBytes(file);
    if (free < neededBytes)
      throw new StoreError(
        `no room for a copy: ${mebibytes(free)} MiB free, ${mebibytes(neededBytes)} needed`,
        {
          trouble: 'full',
        },
      );
    try {
      // On its own connection, so that it blocks no writer.
      using source = openToCopy(file);
      await copyDatabase(source, unfinished);
      renameSync(unfinished, today);
    } finally {
      // Half a copy would take the space that the store needs.
      rmSync(unfinished, { force: true });
    }
    const copies = namedLike(file, 'daily').filter((path) =>
      statSync(path, { throwIfNoEntry: false })?.isFile(),
    );
    // A clock that was ahead has left those of days to come: they go first, and never the one of today.
    const { ahead = [], past = [] } = Object.groupBy(copies, (path) => (path > today ? 'ahead' : 'past'));
    for (const old of [...ahead, ...past].slice(0, -MAX_COPIES)) rmSync(old);
    return true;
  }

  return {
    /** Makes today's (UTC) copy unless it exists, and removes all but the newest seven. True: a copy was made. */
    make: (now: number): Promise<boolean> => mutex(file, () => makeNow(now)),
    /** The day (UTC) of the newest copy, as the unix milliseconds of its beginning; null: there is no copy. */
    newestDay(): number | null {
      const [day] =
        namedLike(file, 'daily')
          .at(-1)
          ?.match(/\d{4}-\d\d-\d\d(?=[^/]*$)/) ?? [];
      return day === undefined ? null : Date.parse(day);
    },
    /** Runs the work while no copy is made. */
    exclusively: <Result>(work: () => Promise<Result>): Promise<Result> => mutex(file, work),
    /**
     * Lists every copy and every file that a restore has put aside, and removes what is unfinished; `unreached` is called with
     * an unfinished one that cannot be removed.
     */
    list(unreached: (path: string, error: unknown) => void): readonly string[] {
      for (const leftover of namedLike(file, 'unfinished')) {
        try {
          rmSync(leftover, { force: true });
        } catch (error) {
          unreached(leftover, error);
        }
      }
      return namedLike(file, 'daily', 'byHand', 'replaced');
    },
  };
}

function mebibytes(bytes: number): number {
  return Math.ceil(bytes / 1024 / 1024);
}
