import { StoreError } from '../base/errors.ts';
import type { Collection } from './collection.ts';
import { type Document, type Documents, idOf } from './documents.ts';

/** Several documents, read and written as if nobody else were there. */
export interface Transaction {
  /** Null: there is none. The same each time, and the new value once it was written. */
  read<Value>(of: Collection<Value>, key: string): Promise<Value | null>;
  /** Null deletes it. */
  write<Value>(of: Collection<Value>, key: string, value: Value | null): void;
  /** The store's clock at the latest read, which there must have been (unix milliseconds). */
  now(): number;
}

/** Far more attempts than concurrent changes of one document need; a store that never agrees must not hang the bot. */
const MAX_ATTEMPTS = 1000;

/**
 * Runs `decide` until nobody has changed meanwhile what it read, and writes what it wrote: all or nothing. What it reads
 * may be from different moments until then, so whatever it does beside the transaction is not to be done there. Where it
 * throws, nothing is written.
 */
export async function changeDocuments<Result>(
  documents: Documents,
  decide: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const { transaction, commit } = begin(documents);
    const result = await decide(transaction);
    if (await commit()) return result;
  }
  throw new StoreError('the store does not agree with what was read from it');
}

function begin(documents: Documents) {
  const read = new Map<string, Document>();
  const pendingWrites = new Map<string, Document>();
  let latest: number | null = null;

  async function textOf(collection: string, key: string): Promise<string | null> {
    const id = idOf({ collection, key });
    const knownDocument = pendingWrites.get(id) ?? read.get(id);
    if (knownDocument !== undefined) return knownDocument.text;
    const { text, now } = await documents.read(collection, key);
    latest = now;
    // A second read of the same at the same time keeps the first answer.
    const first = read.get(id) ?? { collection, key, text };
    read.set(id, first);
    return first.text;
  }

  const transaction: Transaction = {
    read: async (of, key) => of.decode(await textOf(of.name, key)),
    write(of, key, value) {
      const document = { collection: of.name, key, text: value === null ? null : of.encode(value) };
      pendingWrites.set(idOf(document), document);
    },
    now() {
      if (latest === null) throw new RangeError('nothing has been read yet');
      return latest;
    },
  };

  return {
    transaction,
    async commit(): Promise<boolean> {
      const changed = [...pendingWrites].flatMap(([id, document]) =>
        read.get(id)?.text === document.text ? [] : [document],
      );
      return changed.length === 0 || documents.commit([...read.values()], changed);
    },
  };
}
