import { chmodSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../errors.ts';
import { type Contents, contentsOf } from './contents.ts';
import { copyPath, momentInName } from './copies.ts';
import { copyDatabase } from './copy-database.ts';
import { BUSY_MS } from './database.ts';
import { examineFile } from './examine-file.ts';
import { damaged } from './restore-advice.ts';
import { at, orStartError } from './start-error.ts';

export interface Backup {
  readonly path: string;
  readonly bytes: number;
  readonly contents: Contents;
}

/**
 * Copies one moment of the store's file, also while a bot uses it. Without a path the copy is put beside the file,
 * where `/forget-me` reaches it. Throws a {@link StartError} where there is nothing to copy or nowhere to put it;
 * nothing is left behind then.
 */
export async function backUp(file: string, path: string | null, now: number): Promise<Backup> {
  const moment = momentInName(now);
  const to = path ?? copyPath(file, moment);
  if (!existsSync(file)) throw new StartError(`${at(file)} does not exist; there is nothing to back up`);
  if (existsSync(to)) throw new StartError(`${to} exists already; name another file`);
  const unfinished = path === null ? copyPath(file, `${moment}.unfinished`) : `${to}.unfinished`;
  rmSync(unfinished, { force: true });
  try {
    await copyWhole(file, unfinished);
    orStartError(to, () => renameSync(unfinished, to));
  } finally {
    rmSync(unfinished, { force: true });
  }
  return { path: to, bytes: statSync(to).size, contents: contentsOf(to) };
}

async function copyWhole(file: string, to: string): Promise<void> {
  try {
    using source = new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS });
    await copyDatabase(source, to);
  } catch (error) {
    orStartError(file, () => {
      throw error;
    });
  }
  if (examineFile(to) !== 'good') throw new StartError(damaged(file));
  chmodSync(to, statSync(file).mode & 0o777);
}
