import { readdirSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { unmark } from './use-mark.ts';

/** The path of a companion of the store's file: `pitwall.2026-03-05.sqlite` beside `pitwall.sqlite`. */
export function copyPath(file: string, middle: string): string {
  const ending = extname(file);
  return join(dirname(file), `${basename(file, ending)}.${middle}${ending}`);
}

/**
 * History has a file of its own: `pitwall.history.sqlite`, and a copy of it stands beside the copy of the store. The
 * daily copies need not hold it seven times over, and deleting a driver from it rewrites no decision.
 */
export function historyFile(file: string): string {
  return copyPath(file, 'history');
}

/** A moment (unix milliseconds) as it stands in the name of a file: `2026-03-05T12-30-15Z`. */
export function momentInName(now: number): string {
  return new Date(now)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-');
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;
const REPLACED = /^replaced-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;
const UNFINISHED = /^(?:unfinished|\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.unfinished)(?:\.history)?$/;
const HISTORY = /^(?:replaced-)?\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.history$/;

/** Every entry in the file's folder that is named like a daily copy, even if it is not one; oldest first. */
export function namedLikeDailyCopies(file: string): readonly string[] {
  return named(file, (middle) => DAY.test(middle));
}

/** The same with the copies that were made by hand. */
export function namedLikeCopies(file: string): readonly string[] {
  return named(file, (middle) => DAY.test(middle) || MOMENT.test(middle));
}

/** What restores have put aside. */
export function namedLikeReplaced(file: string): readonly string[] {
  return named(file, (middle) => REPLACED.test(middle));
}

/** Copies of the history that were made by hand, and what restores have put aside of it. */
export function namedLikeHistoryCopies(file: string): readonly string[] {
  return named(file, (middle) => HISTORY.test(middle));
}

/** Copies in progress, or what killed processes have left of them. */
export function namedLikeUnfinished(file: string): readonly string[] {
  return named(file, (middle) => UNFINISHED.test(middle));
}

function named(file: string, isMeant: (middle: string) => boolean): readonly string[] {
  const ending = extname(file);
  const stem = basename(file, ending);
  return readdirSync(dirname(file))
    .filter((name) => name.startsWith(`${stem}.`) && name.endsWith(ending))
    .filter((name) => isMeant(name.slice(stem.length + 1, name.length - ending.length)))
    .toSorted()
    .map((name) => join(dirname(file), name));
}

/**
 * More pages than any file has. A copy made in steps starts over whenever another connection writes, and might
 * never end.
 */
const ALL_PAGES = 2 ** 31 - 1;

/** Copies one moment of the database into a new file without a log, off the main thread. */
export async function copyDatabase(source: DatabaseSync, to: string): Promise<void> {
  await backup(source, to, { rate: ALL_PAGES });
  using copy = new DatabaseSync(to);
  copy.exec('PRAGMA journal_mode = DELETE');
  unmark(copy);
}
