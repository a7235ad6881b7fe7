import type { Clock } from '../base/clock.ts';
import { createTtlMemo } from '../base/ttl-memo.ts';
import { type Document, type Documents, idOf, VERSIONS } from './documents.ts';

/** Limit of the cache: most texts have a few hundred bytes, and many entries only say that there is no text. */
const MAX_KEYS = 20_000;

/**
 * Returns documents that are read from the store once, until this process writes them, so that no command costs a query. If
 * other processes write as well, a text is read again once it is older than the caller allows.
 */
export function readOnce(
  documents: Documents,
  clock: Pick<Clock, 'now' | 'monotonic'>,
  { isSoleWriter }: { readonly isSoleWriter: boolean },
): Documents {
  const memo = createTtlMemo<string, Awaited<ReturnType<Documents['read']>>>(
    clock,
    Number.POSITIVE_INFINITY,
    MAX_KEYS,
  );

  function forget(changed: readonly Pick<Document, 'collection' | 'key'>[]): void {
    for (const { collection, key } of changed) {
      memo.delete(idOf({ collection, key }));
      memo.delete(idOf({ collection: VERSIONS, key: collection }));
    }
  }

  const read: Documents['read'] = async (collection, key, maxAge = 0) => {
    if (!isSoleWriter && maxAge === 0) return documents.read(collection, key);
    const age = isSoleWriter ? Number.POSITIVE_INFINITY : maxAge;
    return memo.get(idOf({ collection, key }), () => documents.read(collection, key), age);
  };

  return {
    ...documents,
    // A sole writer uses its own clock.
    read: isSoleWriter ? async (...args) => ({ ...(await read(...args)), now: clock.now() }) : read,
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
