import { chmodSync, existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf, StartError } from '../../base/errors.ts';
import { copyPath, giveToOwnerOf, historyFile, momentInName } from './copies.ts';
import { copyFile, openToCopy } from './copy-file.ts';
import { type Contents, countContents, examineFile } from './examine-file.ts';
import { placeOf } from './file-lock.ts';
import { type Format, historyFormat, storeFormat } from './format.ts';
import { refusal } from './refusal.ts';
import { at, isFull, throwStartErrors, toStartError } from './start-error.ts';

interface Backup {
  readonly path: string;
  readonly bytes: number;
  readonly contents: Contents;
  /** The copy of its history, beside that of the file; null where there is none yet. */
  readonly history: { readonly path: string; readonly bytes: number } | null;
}

/**
 * Copies one moment of the store's file, then one of its history, also while a bot uses them. Without a path the
 * copies are put beside the file, where `/forget-me` reaches them. Throws a {@link StartError} where there is nothing
 * to copy or nowhere to put it; nothing is left behind then.
 */
export async function backUp(file: string, path: string | null, now: number): Promise<Backup> {
  const moment = momentInName(now);
  const to = path ?? copyPath(file, moment);
  const via = path === null ? copyPath(file, `${moment}.unfinished`) : `${to}.unfinished`;
  if (!existsSync(placeOf(file)))
    throw new StartError(`${at(file)} does not exist; there is nothing to back up`);
  const ofHistory = { of: historyFile(file), via: historyFile(via), to: historyFile(to) };
  const hasHistory = existsSync(ofHistory.of);
  const copies: readonly Copy[] = [
    { of: file, via, to, format: storeFormat('') },
    ...(hasHistory ? [{ ...ofHistory, format: historyFormat }] : []),
  ];
  for (const copy of copies)
    if (existsSync(copy.to)) throw new StartError(`${copy.to} exists already; name another file`);
  try {
    for (const copy of copies) await copyWhole(copy);
    for (const copy of copies) throwStartErrors(copy.to, () => renameSync(copy.via, copy.to));
  } finally {
    for (const copy of copies) rmSync(copy.via, { force: true });
  }
  return {
    path: to,
    bytes: statSync(to).size,
    contents: countContents(to),
    history: hasHistory ? { path: ofHistory.to, bytes: statSync(ofHistory.to).size } : null,
  };
}

interface Copy {
  readonly of: string;
  /** Path of the copy until it is whole. */
  readonly via: string;
  readonly to: string;
  readonly format: Format;
}

async function copyWhole({ of, via, format }: Copy): Promise<void> {
  try {
    // SQLite would not say which of both files it cannot open.
    writeFileSync(via, '');
  } catch (error) {
    throw new StartError(
      `${via} cannot be written (${codeOf(error)}); check its folder, or name another place`,
    );
  }
  try {
    await copyFile(() => openToCopy(of, format), via);
  } catch (error) {
    if (isFull(error)) throw new StartError(`no room for ${via}; free some space, or name another place`);
    throw toStartError(of, error);
  }
  const state = examineFile(via, format);
  const why =
    state === 'empty' ? `${at(of)} holds nothing; there is nothing to back up` : refusal(of, format, state);
  if (why !== null) throw new StartError(why);
  chmodSync(via, statSync(of).mode & 0o777);
  // There the bot has to reach it; elsewhere it is for whoever made it.
  if (dirname(via) === dirname(of)) giveToOwnerOf(of, via);
}
