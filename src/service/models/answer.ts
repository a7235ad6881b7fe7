import type { Fault } from '../../base/errors.ts';

export interface Answer<Row> {
  readonly record: Row;
  /** Unix milliseconds at which the record was true. */
  readonly asOf: number;
  /** Why this is an older record and no newer one could be had; null: it is current. */
  readonly stale: Fault | 'slow' | 'share' | null;
}
