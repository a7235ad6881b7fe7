/** Keeps a process that has lost its claim from writing. */
import { StoreError } from '../base/errors.ts';
import type { Document, Documents } from '../store/documents.ts';
import type { HistoryChunks } from '../store/history-chunks.ts';
import { CLAIMS_KEY, claimsDocuments } from './claims-document.ts';

/**
 * Returns a store that writes nothing without the claim of this process. `fence`: the number of the claim, 0 if no other
 * process can use the store, and null without a claim.
 */
export function fenceStore<
  Store extends {
    readonly documents: Documents;
    readonly history: HistoryChunks;
  },
>(store: Store, fence: () => number | null): Store {
  const { documents, history } = store;

  /** The claims, in which that of this process stands; null if no other process can use the store. */
  async function claims(): Promise<Document | null> {
    const number = fence();
    if (number === null) throw new StoreError('this process has no claim on its shards');
    if (number === 0) return null;
    const place = { collection: claimsDocuments.name, key: CLAIMS_KEY };
    const { text } = await documents.read(place.collection, place.key);
    if (!claimsDocuments.decode(text)?.claims.some((claim) => claim.number === number))
      throw new StoreError('another process has claimed these shards by now');
    return { ...place, text };
  }

  return {
    ...store,
    documents: {
      ...documents,
      async commit(read, writes) {
        const claimsRead = await claims();
        return documents.commit(claimsRead === null ? read : [...read, claimsRead], writes);
      },
    },
    history: {
      ...history,
      async write(changes) {
        // A renewal in between only asks for another look.
        while (!(await history.write(changes, await claims())));
        return true;
      },
    },
  };
}
