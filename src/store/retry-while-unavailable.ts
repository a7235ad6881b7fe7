import { StoreError } from '../base/errors.ts';
import { retryWhileAway } from '../base/retry-while-away.ts';

type Waiting = Omit<Parameters<typeof retryWhileAway>[1], 'isAway'>;

/** Repeats the work, which must be harmless to repeat, while the store is away. Rejects with its last error, or with any other. */
export function retryWhileUnavailable<Result>(
  work: () => Promise<Result>,
  options: Waiting,
): Promise<Result> {
  return retryWhileAway(work, { ...options, isAway });
}

function isAway(error: unknown): boolean {
  return error instanceof StoreError && error.trouble === 'away';
}
