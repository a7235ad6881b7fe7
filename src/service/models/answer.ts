import type { Fault } from '../../errors.ts';

/** One record, and how old it is. */
export interface Answer<Row> {
  readonly record: Row;
  /** Unix milliseconds at which the record was true. */
  readonly asOf: number;
  /** Null when the answer is as good as can be had; else why a newer one could not be: the record is the last good one. */
  readonly stale: Fault | 'slow' | 'share' | null;
}
