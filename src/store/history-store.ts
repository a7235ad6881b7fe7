import type { Sql } from '../base/sql.ts';

/** The tables of history, which the history module reads and writes. Reads see every finished write of every process. */
export interface HistoryStore extends Pick<Sql, 'rowsAtOnce' | 'read' | 'write'> {
  /** Afterwards no byte of what was deleted is left in the store's files, except in those it resolves with. */
  scrub(): Promise<readonly string[]>;
  /** The place of chunks, as which version 2.0 kept history; null where there never were any. */
  readonly earlier: {
    /** The tables are there as well: in a copy that 2.0 has made, they are not. */
    readonly hasTables: boolean;
    /** Copies the file beside itself, where a deletion reaches it, unless that was done today (UTC). */
    makeCopy(now: number): Promise<void>;
  } | null;
}

/** A copy of all of it, as a backup has made one. */
export interface HistoryCopy {
  /** Name of its file. */
  readonly name: string;
  /** Throws where it cannot be read. */
  open(): HistoryStore & { close(): void };
}
