import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import type { DailyCopy } from '../stores.ts';
import { openDatabase } from './database.ts';
import { forgetIn } from './forget.ts';

/** See {@link DailyCopy}. */
interface DailyCopies extends DailyCopy {
  /** Takes a person out of every copy, one that is being made included. */
  forget(personId: string): Promise<void>;
}

const KEPT = 7;
/** More pages than any file has: a copy in parts begins anew whenever somebody else writes, and might never end. */
const ALL_PAGES = 2 ** 31 - 1;

export function createDailyCopy(file: string): DailyCopies {
  const folder = dirname(file);
  const ending = extname(file);
  const stem = basename(file, ending);
  const named = (middle: string): string => join(folder, `${stem}.${middle}${ending}`);
  /** Not yet whole: what a killed process leaves of it is overwritten by the next one. */
  const unfinished = named('unfinished');
  let making: Promise<boolean> = Promise.resolve(false);

  /** Oldest first. */
  function copies(): readonly string[] {
    return readdirSync(folder)
      .filter((name) => name.startsWith(`${stem}.`) && name.endsWith(ending))
      .filter((name) => /^\d{4}-\d\d-\d\d$/.test(name.slice(stem.length + 1, name.length - ending.length)))
      .toSorted()
      .map((name) => join(folder, name));
  }

  async function makeNow(now: number): Promise<boolean> {
    const today = named(new Date(now).toISOString().slice(0, 10));
    if (existsSync(today)) return false;
    rmSync(unfinished, { force: true });
    // Off the main thread, on a connection that nobody else waits for; whoever writes meanwhile is not held up.
    using source = new DatabaseSync(file, { readOnly: true });
    await backup(source, unfinished, { rate: ALL_PAGES });
    renameSync(unfinished, today);
    for (const old of copies().slice(0, -KEPT)) rmSync(old);
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
    async forget(personId) {
      await making.catch(() => {});
      rmSync(unfinished, { force: true });
      for (const copy of copies()) {
        using opened = openDatabase(copy, { durable: true });
        forgetIn(opened, personId);
      }
    },
  };
}
