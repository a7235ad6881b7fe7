import { readdirSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';

/** The path of a companion of the store's file: `pitwall.2026-03-05.sqlite` beside `pitwall.sqlite`. */
export function copyPath(file: string, middle: string): string {
  const ending = extname(file);
  return join(dirname(file), `${basename(file, ending)}.${middle}${ending}`);
}

/**
 * History has a file of its own: `pitwall.history.sqlite`. The daily copies need not hold it seven times over, and
 * deleting a person from it rewrites no decision.
 */
export function historyFile(file: string): string {
  return copyPath(file, 'history');
}

/** Every entry in the file's folder that is named like a daily copy, even if it is not one; oldest first. */
export function namedLikeCopies(file: string): readonly string[] {
  const ending = extname(file);
  const stem = basename(file, ending);
  return readdirSync(dirname(file))
    .filter((name) => name.startsWith(`${stem}.`) && name.endsWith(ending))
    .filter((name) => /^\d{4}-\d\d-\d\d$/.test(name.slice(stem.length + 1, name.length - ending.length)))
    .toSorted()
    .map((name) => join(dirname(file), name));
}
