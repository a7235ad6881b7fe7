/** Store of history: text by series, in chunks that cover one stretch of time each. */
/**
 * Many series in few kinds: `ten` has one per place, `sessions` one per driver. What the text means is up to the
 * history module.
 */
export interface Series {
  readonly kind: string;
  /** At most 64 characters, any. Empty for a kind with one series. */
  readonly key: string;
}

export interface Chunk extends Series {
  /** The beginning of what it covers, in unix milliseconds; one chunk per series and beginning. */
  readonly start: number;
  readonly text: string;
}

/** Text null: the chunk is deleted. */
export type ChunkChange = Omit<Chunk, 'text'> & { readonly text: string | null };

/** Rejects with a `StoreError` where the store fails. Reads see every finished write of every process. */
export interface HistoryChunks {
  /** The series' chunks that start in the span (both ends belong to it), oldest first. */
  read(series: Series, from: number, to: number): Promise<readonly Chunk[]>;
  /** Chunks of every series of the kind; oldest first, within a start by key. */
  readKind(kind: string, from: number, to: number): Promise<readonly Chunk[]>;
  /** The series' oldest chunk. */
  first(series: Series): Promise<Chunk | null>;
  /** Writes all or nothing. */
  write(changes: readonly ChunkChange[]): Promise<void>;
  /** Deletes a kind's chunks that start before. */
  prune(kind: string, endExclusive: number): Promise<void>;
  /** Deletes the chunks that start first, of any kind, until they take at most this many bytes: of text, or of their file. */
  evict(maxBytes: number): Promise<void>;
  /** Afterwards no byte of what was deleted is left in the store's files, except in those it resolves with. */
  scrub(): Promise<readonly string[]>;
}

/** A copy of all of it, as a backup has made one. */
export interface HistoryCopy {
  /** Name of its file. */
  readonly name: string;
  /** Throws where it cannot be read. */
  open(): HistoryChunks & { close(): void };
}
