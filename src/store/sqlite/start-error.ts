import { codeOf, resultCode, StartError } from '../../base/errors.ts';

export const at = (file: string): string => `STORE_URL: the database ${file}`;

/** Runs the work; an error becomes a {@link StartError} that names the file and says what is wrong with it. */
export function throwStartErrors<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw toStartError(file, error);
  }
}

export function toStartError(file: string, error: unknown): StartError {
  if (error instanceof StartError) return error;
  return new StartError(`${at(file)} ${whatIsWrong(error)}`, { mayPass: isFull(error) });
}

/** Tells whether the disk is full; another start may find space again, as after a log was rotated. */
export function isFull(error: unknown): boolean {
  return resultCode(error) === 13 || codeOf(error) === 'ENOSPC';
}

function whatIsWrong(error: unknown): string {
  if (isFull(error)) return 'is on a full disk; free some space';
  if (codeOf(error) === 'EACCES')
    return 'cannot be reached: it or its folder belongs to another user; give both to the user that the bot runs as';
  switch (resultCode(error)) {
    case 5:
    case 6:
      return 'is locked by another process; stop that one first';
    case 8:
      return 'is read-only; check the owner and permissions of the file and its folder';
    case 11:
    case 26:
      return 'is damaged or not a database; move it away';
    case 14:
      return 'cannot be opened; check its path, and the owner of the file and of its folder';
    default:
      return `cannot be opened (${codeOf(error) || 'for an unknown reason'}); check its path and permissions`;
  }
}
