import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import type { DailyCopy } from '../stores.ts';
import { copyPath, namedLikeCopies } from './copies.ts';
import { openDatabase } from './database.ts';
import { forgetIn } from './forget.ts';

interface DailyCopies extends DailyCopy {
  /**
   * Takes a person out of every copy, one that is being made included. What cannot be changed is reported to
   * `unreached`, and the others are done all the same.
   */
  forget(personId: string, unreached: (path: string, error: unknown) => void): Promise<void>;
}

const KEPT = 7;
/** More pages than any file has: a copy in parts begins anew whenever somebody else writes, and might never end. */
const ALL_PAGES = 2 ** 31 - 1;

export function createDailyCopy(file: string): DailyCopies {
  /** Not yet whole: what a killed process leaves of it is overwritten by the next one. */
  const unfinished = copyPath(file, 'unfinished');
  let making: Promise<boolean> = Promise.resolve(false);

  async function makeNow(now: number): Promise<boolean> {
    const today = copyPath(file, new Date(now).toISOString().slice(0, 10));
    if (existsSync(today)) return false;
    rmSync(unfinished, { force: true });
    // Off the main thread, on a connection that nobody else waits for; whoever writes meanwhile is not held up.
    using source = new DatabaseSync(file, { readOnly: true });
    await backup(source, unfinished, { rate: ALL_PAGES });
    renameSync(unfinished, today);
    const copies = namedLikeCopies(file).filter((path) => statSync(path).isFile());
    for (const old of copies.slice(0, -KEPT)) rmSync(old);
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
      forget(unfinished, () => rmSync(unfinished, { force: true }));
      for (const copy of namedLikeCopies(file)) {
        forget(copy, () => {
          using opened = openDatabase(copy, { durable: true });
          forgetIn(opened, personId);
        });
      }
    },
  };
}
