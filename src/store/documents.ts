/** A text by its collection and key. In a commit, a text of null says: there is none. */
export interface Document {
  readonly collection: string;
  readonly key: string;
  readonly text: string | null;
}

/**
 * Data that must outlive a restart and that several processes change in turn. Every method rejects with a
 * `StoreError` if the store fails; a commit may still have happened.
 */
export interface Documents {
  /**
   * `now`: the store's clock when it was read, one for all processes (unix milliseconds). `maxAge`: by how many milliseconds
   * what others write may be missed; nothing that this process writes is.
   */
  read(
    collection: string,
    key: string,
    maxAge?: number,
  ): Promise<{ readonly text: string | null; readonly now: number }>;
  /** All texts by key, in no particular order. One that is changed meanwhile is there as it was or as it is. */
  all(collection: string): Promise<ReadonlyMap<string, string>>;
  /** Writes all or nothing: false if a text has changed since it was read. */
  commit(read: readonly Document[], writes: readonly Document[]): Promise<boolean>;
  /**
   * Finds the documents that have this id of Discord in their key or text, in one collection or in all: by an index, which is
   * written with them. A document that is written meanwhile may be missing.
   */
  naming(id: string, collection?: string): Promise<readonly Pick<Document, 'collection' | 'key'>[]>;
}

/** In one text: no collection's name has a space. */
export function idOf({ collection, key }: Pick<Document, 'collection' | 'key'>): string {
  return `${collection} ${key}`;
}

/** Collections by which processes of versions before 3.0.0 shared the work. They are neither read nor moved. */
export const EARLIER_COLLECTIONS: readonly string[] = ['claims', 'cluster', 'shard-claims', 'shard-fences'];

/** The collection of the versions of all others, by their names. It is only read. */
export const VERSIONS = 'versions';

/**
 * A number that grows with each commit that writes to the collection; 0 where nothing was ever written. It is never
 * used twice, not even after the store was emptied or an older copy was put in its place.
 */
export async function readVersion(documents: Pick<Documents, 'read'>, collection: string): Promise<number> {
  return Number((await documents.read(VERSIONS, collection)).text ?? 0);
}
