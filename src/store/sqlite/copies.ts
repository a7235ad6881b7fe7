import { chownSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';

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

/** Names of companions, by the middle. */
const MIDDLE_PATTERNS = {
  daily: /^\d{4}-\d\d-\d\d$/,
  byHand: /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/,
  /** Put aside by a restore. */
  replaced: /^replaced-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/,
  /** Copies of the history: made by hand, or put aside by a restore. */
  history: /^(?:replaced-)?\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.history$/,
  /** Copies in progress, or what killed processes have left of them. */
  unfinished: /^(?:unfinished|\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.unfinished)(?:\.history)?$/,
};

/** Every entry in the file's folder that is named like one of these, even if it is not one; oldest first. */
export function namedLike(
  file: string,
  ...kinds: readonly (keyof typeof MIDDLE_PATTERNS)[]
): readonly string[] {
  const ending = extname(file);
  const stem = basename(file, ending);
  return readdirSync(dirname(file))
    .filter((name) => name.startsWith(`${stem}.`) && name.endsWith(ending))
    .filter((name) => {
      const middle = name.slice(stem.length + 1, name.length - ending.length);
      return kinds.some((kind) => MIDDLE_PATTERNS[kind].test(middle));
    })
    .toSorted()
    .map((name) => join(dirname(file), name));
}

/** Removes what killed processes have left of copies. `unreached`: called with one that cannot be removed. */
export function removeUnfinished(file: string, unreached: (path: string, error: unknown) => void): void {
  for (const leftover of namedLike(file, 'unfinished')) {
    try {
      rmSync(leftover, { force: true });
    } catch (error) {
      unreached(leftover, error);
    }
  }
}

/** Or to its folder's owner, where there is no file: the bot could not open what is root's. Nobody else can give away. */
export function giveToOwnerOf(file: string, companion: string): void {
  const { uid, gid } = statSync(existsSync(file) ? file : dirname(file));
  const now = statSync(companion);
  if (process.getuid?.() === 0 && (now.uid !== uid || now.gid !== gid)) chownSync(companion, uid, gid);
}
