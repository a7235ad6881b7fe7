/** Copies a store into another one, through the interface that all kinds of stores have. */
import { type Documents, VERSIONS } from './documents.ts';
import type { ChunkChange } from './history-chunks.ts';
import type { Stores } from './stores.ts';

/** Documents, or chunks of history, that one transaction writes. */
const MAX_WRITES = 200;

type Part = Pick<Stores, 'documents' | 'history'>;

/**
 * Resolves with the numbers of documents and of chunks. Answers of the data service and the request ledger stay: the former can
 * be asked for again, and the latter counts by the clock of its own store.
 */
export async function copyStore(
  from: Part,
  to: Part,
  { kinds, without }: { readonly kinds: readonly string[]; readonly without: readonly string[] },
): Promise<{ readonly documents: number; readonly chunks: number }> {
  const names = [...(await from.documents.all(VERSIONS)).keys()].filter((name) => !without.includes(name));
  let [documents, chunks] = [0, 0];
  for (const name of names) documents += await copyCollection(from.documents, to.documents, name);
  for (const kind of kinds) {
    const all = await from.history.readKind(kind, 0, Number.MAX_SAFE_INTEGER);
    for (const changes of inParts<ChunkChange>(all)) await to.history.write(changes);
    chunks += all.length;
  }
  return { documents, chunks };
}

async function copyCollection(from: Documents, to: Documents, collection: string): Promise<number> {
  const all = [...(await from.all(collection))].map(([key, text]) => ({ collection, key, text }));
  for (const documents of inParts(all)) await to.commit([], documents);
  return all.length;
}

function inParts<Item>(all: readonly Item[]): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(all.length / MAX_WRITES) }, (_, index) =>
    all.slice(index * MAX_WRITES, (index + 1) * MAX_WRITES),
  );
}
