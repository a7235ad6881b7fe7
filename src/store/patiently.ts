import { StoreError } from '../base/errors.ts';
import { whileAway } from '../base/while-away.ts';

type Waiting = Omit<Parameters<typeof whileAway>[1], 'isAway'>;

/** Repeats the work, which must be harmless to repeat, while the store is away. Rejects with its last error, or with any other. */
export function patiently<Result>(work: () => Promise<Result>, waiting: Waiting): Promise<Result> {
  return whileAway(work, { ...waiting, isAway });
}

function isAway(error: unknown): boolean {
  return error instanceof StoreError && error.trouble === 'away';
}
