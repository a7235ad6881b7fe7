import { HOUR } from '../base/duration.ts';
import { forEachInSlices } from '../base/for-each-yielding.ts';
import { changeDocuments } from './change.ts';
import { type Collection, readAll } from './collection.ts';
import type { Documents } from './documents.ts';

/**
 * Deletes what is over, at most once an hour: each document by itself, so that the change of another one depends on none
 * of them. `sweepValue`: returns the same value if nothing has expired, null if all has. `now` in unix milliseconds, of any one
 * clock. Never rejects: what is left goes the next time.
 */
export function createSweep<Value>(
  documents: Documents,
  of: Collection<Value>,
  sweepValue: (value: Value, now: number) => Value | null,
): (now: number) => Promise<void> {
  let last = Number.NEGATIVE_INFINITY;

  async function sweep(now: number): Promise<void> {
    const outdated = [...(await readAll(documents, of))].filter(
      ([, value]) => sweepValue(value, now) !== value,
    );
    await forEachInSlices(outdated, ([key]) =>
      changeDocuments(documents, async (transaction) => {
        const current = await transaction.read(of, key);
        if (current !== null) transaction.write(of, key, sweepValue(current, now));
      }),
    );
  }

  return async (now) => {
    if (Math.abs(now - last) < HOUR) return;
    last = now;
    await sweep(now).catch(() => {});
  };
}
