import type { Keyv } from 'keyv';
import type { Ledger } from '../service/budget/ledger/ledger.ts';
import type { FlightLock } from '../service/deduplicate/flight-lock.ts';
import type { Claims } from '../store/claims.ts';
import type { Documents } from '../store/documents.ts';
import type { Forgetting } from '../store/forget.ts';
import type { HistoryChunks, HistoryCopy } from '../store/history-chunks.ts';

/** All persistent data: in SQLite (a file, and one of history beside it), or in a Redis database shared by several processes. */
export interface Stores {
  readonly namespace: Namespaces;
  readonly documents: Documents;
  /**
   * Removes a person from all these documents, also in the copies. When it resolves, no byte of the person's id is left
   * in the store or its copies, except in the files it resolves with: those could not be changed, and the log says why.
   * Rejects where the store itself fails.
   */
  forget(forgetting: readonly Forgetting[], personId: string): Promise<readonly string[]>;
  readonly history: HistoryChunks;
  /** Those that stand beside it now. */
  historyCopies(): readonly HistoryCopy[];
  readonly ledger: Ledger;
  /** Shared by processes; null where there is only one. */
  readonly lock: FlightLock | null;
  readonly claims: Claims;
  /** Null where backups are up to the server's operator. */
  readonly copies: DailyCopy | null;
  close(): Promise<void>;
}

/**
 * Keys with JSON values and a time to live. Each name may be used once; beyond the limits, the oldest writes are
 * evicted. Failures are thrown, never reported as a miss.
 */
export type Namespaces = (name: string, limits: Limits) => Keyv;

export interface Limits {
  /** May be exceeded by a tenth for a moment. */
  readonly maxRows: number;
  /** Total UTF-8 bytes of the values. May be exceeded by a sixteenth for a moment. */
  readonly maxBytes: number;
}

/**
 * Daily copies beside the file: `pitwall.2026-03-05.sqlite`. `npm run restore` puts one in its place.
 */
export interface DailyCopy {
  /** Makes today's (UTC) copy unless it exists, and removes all but the newest seven. True: a copy was made. */
  make(now: number): Promise<boolean>;
}
