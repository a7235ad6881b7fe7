import { backup, DatabaseSync } from 'node:sqlite';
import { unmark } from './use-mark.ts';

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
