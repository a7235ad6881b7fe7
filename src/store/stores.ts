import type { Keyv } from 'keyv';
import type { StartError } from '../base/errors.ts';
import type { Sql } from '../base/sql.ts';
import type { Documents } from './documents.ts';
import type { HistoryCopy, HistoryStore } from './history-store.ts';

/** All persistent data: in SQLite (a file, and one of history beside it), or in a PostgreSQL that several processes share. */
export interface Stores {
  /** Processes of several machines can use it, one after the other or at once. */
  readonly isShared: boolean;
  /** Other processes work with it at the same time, for other shards. */
  readonly hasPeers: boolean;
  readonly lock: WorkLock;
  /** The place of the request ledger. */
  readonly ledger: Sql;
  readonly namespace: Namespaces;
  readonly documents: Documents;
  /**
   * Removes what was deleted from the files: when it resolves, no byte of it is left in the store or its copies. Rejects
   * where the store fails or the signal is aborted; it can then be called again.
   */
  clean(work: {
    /** Deletes the same from these copies of the file. */
    inCopies(copies: readonly string[]): Promise<void>;
    /** Called between the copies and the file itself. */
    copiesCleaned(): Promise<void>;
    readonly signal: AbortSignal;
  }): Promise<void>;
  /** Store of history; if the kept one cannot be used, one that lasts until the end. */
  readonly history: HistoryStore;
  /** Why what is kept of history cannot be used, and what to do; null where it can. */
  readonly historyTrouble: string | null;
  /** Copies of the history beside the store. */
  historyCopies(): readonly HistoryCopy[];
  /** Writes a mark. Rejects with a `StoreError` that says why nothing can be stored. */
  checkWrites(): Promise<void>;
  /**
   * Daily copies beside the file: `pitwall.2026-03-05.sqlite`. `npm run restore` puts one in its place. Null where
   * backups are up to the server's operator.
   */
  readonly copies: {
    /** Makes today's (UTC) copy unless it exists, and removes all but the newest seven. True: a copy was made. */
    make(now: number): Promise<boolean>;
    /** The day (UTC) of the newest copy, as the unix milliseconds of its beginning; null: there is no copy. */
    newestDay(): number | null;
  } | null;
  /** Resolves when another version has taken it: this one must not write there any more. */
  readonly takenOver: Promise<StartError>;
  close(): Promise<void>;
}

/** The right of this process to work, which it has once the store is open. Every write needs it. */
export interface WorkLock {
  /** False: another process may have it by now. Asked right before each request to Discord. */
  isSure(): boolean;
  /** The process that had it before did not end in order. */
  readonly isAfterCrash: boolean;
  /** Resolves with whether another process waits for it. */
  hasStandby(): Promise<boolean>;
  /** Resolves with how many processes work. */
  countHolders(): Promise<number>;
  /** Resolves when another process has taken over. */
  readonly lost: Promise<void>;
  /** Gives it back at an orderly end: this process can write no more. */
  release(): Promise<void>;
}

/**
 * Keys with JSON values and a time to live. Each name may be used once; beyond the limits, the oldest writes are
 * evicted. Failures are thrown, never reported as a miss.
 */
type Namespaces = (name: string, limits: Limits) => Keyv;

export interface Limits {
  /** May be exceeded by a tenth for a moment. */
  readonly maxRows: number;
  /** Total UTF-8 bytes of the values. May be exceeded by a sixteenth for a moment. */
  readonly maxBytes: number;
}
