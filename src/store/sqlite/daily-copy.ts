import { existsSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../base/errors.ts';
import type { DailyCopy } from '../../bot/stores.ts';
import {
  copyPath,
  namedLikeCopies,
  namedLikeDailyCopies,
  namedLikeReplaced,
  namedLikeUnfinished,
} from './copies.ts';
import { copyDatabase } from './copy-database.ts';
import { openDatabase } from './database.ts';
import { forgetIn } from './forget.ts';

interface DailyCopies extends DailyCopy {
  /**
   * Removes a person from every copy and every file that a restore has put aside, including a copy being made. One
   * that cannot be changed is reported to `unreached`; the others are still processed.
   */
  forget(personId: string, unreached: (path: string, error: unknown) => void): Promise<void>;
}

const COPIES = 7;
/** Left free on the disk, in bytes: the store itself must go on growing, and may by as much. */
const LEFT_FREE = 64 * 1024 * 1024;

/** `freeBytes`: of the disk that a file is on. */
export interface DailyCopyParts {
  readonly freeBytes?: (file: string) => number;
}

function freeBytesOf(file: string): number {
  const { bavail, bsize } = statfsSync(dirname(file));
  return bavail * bsize;
}

export function createDailyCopy(file: string, { freeBytes = freeBytesOf }: DailyCopyParts = {}): DailyCopies {
  /** The copy in progress; a killed process's leftover is overwritten by the next one. */
  const unfinished = copyPath(file, 'unfinished');
  let making: Promise<boolean> = Promise.resolve(false);

  async function makeNow(now: number): Promise<boolean> {
    const today = copyPath(file, new Date(now).toISOString().slice(0, 10));
    if (existsSync(today)) return false;
    rmSync(unfinished, { force: true });
    const needed = statSync(file).size + LEFT_FREE;
    const free = freeBytes(file);
    if (free < needed)
      throw new StoreError(`no room for a copy: ${mebibytes(free)} MiB free, ${mebibytes(needed)} needed`, {
        trouble: 'full',
      });
    try {
      // On its own connection, so that it blocks no writer.
      using source = new DatabaseSync(file, { readOnly: true });
      await copyDatabase(source, unfinished);
      renameSync(unfinished, today);
    } finally {
      // Half a copy would take the room that the store needs.
      rmSync(unfinished, { force: true });
    }
    const copies = namedLikeDailyCopies(file).filter((path) => statSync(path).isFile());
    for (const old of copies.slice(0, -COPIES)) rmSync(old);
    return true;
  }

  return {
    make(now) {
      const made = making.then(
        () => makeNow(now),
        () => makeNow(now),
      );
      making = made;
      return made;
    },
    async forget(personId, unreached) {
      await making.catch(() => {});
      const forget = (path: string, work: () => void): void => {
        try {
          work();
        } catch (error) {
          unreached(path, error);
        }
      };
      for (const left of namedLikeUnfinished(file)) forget(left, () => rmSync(left, { force: true }));
      for (const copy of [...namedLikeCopies(file), ...namedLikeReplaced(file)]) {
        forget(copy, () => {
          using opened = openDatabase(copy, { durable: true });
          forgetIn(opened, personId);
        });
      }
    },
  };
}

function mebibytes(bytes: number): number {
  return Math.ceil(bytes / 1024 / 1024);
}
