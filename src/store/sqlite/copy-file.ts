import { rmSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { StartError } from '../../base/errors.ts';
import { BUSY_MS } from './database.ts';
import { examineFile } from './examine-file.ts';
import type { Format } from './format.ts';
import { refusal } from './refusal.ts';
import { unmarkInUse } from './use-mark.ts';

/**
 * More pages than any file has. A copy made in steps starts over whenever another connection writes, and might
 * never end.
 */
const ALL_PAGES = 2 ** 31 - 1;

/**
 * Copies one moment of a database into a new file without a log, off the main thread. Where that or `finish` fails, nothing is
 * left behind; a killed process's leftover is overwritten.
 */
export async function copyFile(
  open: () => DatabaseSync,
  to: string,
  finish: () => Promise<void> = async () => {},
): Promise<void> {
  rmSync(to, { force: true });
  try {
    {
      using source = open();
      await backup(source, to, { rate: ALL_PAGES });
      using copy = new DatabaseSync(to);
      copy.exec('PRAGMA journal_mode = DELETE');
      unmarkInUse(copy);
    }
    await finish();
  } catch (error) {
    rmSync(to, { force: true });
    throw error;
  }
}

/** Opens a file that a bot may be using. Throws a {@link StartError} if the bot would not start with it. */
export function openToCopy(file: string, format: Format): DatabaseSync {
  const why = refusal(file, format, examineFile(file, format, null));
  if (why !== null) throw new StartError(why);
  return new DatabaseSync(file, { timeout: BUSY_MS, readOnly: true });
}
