import type { Clock } from '../base/clock.ts';
import { createTtlMemo } from '../base/ttl-memo.ts';
import { type Document, type Documents, idOf, VERSIONS } from './documents.ts';

/** Limit of the cache: most texts have a few hundred bytes, and many entries only say that there is no text. */
const MAX_KEYS = 20_000;

/**
 * Returns documents that are read from the store once, until this process writes them, so that no command costs a query. No
 * other process may write to the store.
 */
export function readOnce(documents: Documents, clock: Pick<Clock, 'now' | 'monotonic'>): Documents {
  const texts = createTtlMemo<string, string | null>(clock, Number.POSITIVE_INFINITY, MAX_KEYS);

  function forget(changed: readonly Pick<Document, 'collection' | 'key'>[]): void {
    for (const { collection, key } of changed) {
      texts.delete(idOf({ collection, key }));
      texts.delete(idOf({ collection: VERSIONS, key: collection }));
    }
  }

  return {
    ...documents,
    read: async (collection, key) => ({
      text: await texts.get(
        idOf({ collection, key }),
        async () => (await documents.read(collection, key)).text,
      ),
      now: clock.now(),
    }),
    async commit(seen, writes) {
      try {
        return await documents.commit(seen, writes);
      } finally {
        // Documents of this commit are read again. A read that has begun meanwhile may have the old or the new text.
        forget([...seen, ...writes]);
      }
    },
  };
}
