import type { Clock } from '../base/clock.ts';
import { createTtlMemo } from '../base/ttl-memo.ts';
import { type Document, type Documents, idOf, VERSIONS } from './documents.ts';

/** Limit of the cache: most texts have a few hundred bytes, and many entries only say that there is no text. */
const MAX_KEYS = 20_000;

/**
 * Documents that are read once, until this process writes them: what every command asks for costs no query. Of those that
 * other processes write, too, only what may be as old as the caller says is not read again.
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
    // Nobody else's clock counts for a sole writer.
    read: isSoleWriter ? async (...args) => ({ ...(await read(...args)), now: clock.now() }) : read,
    async commit(seen, writes) {
      try {
        return await documents.commit(seen, writes);
      } finally {
        // A document that was seen and has changed is read again. A read that has begun meanwhile may be either.
        forget([...seen, ...writes]);
      }
    },
  };
}
