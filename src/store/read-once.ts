import type { Clock } from '../base/clock.ts';
import { createTtlMemo } from '../base/ttl-memo.ts';
import { type Document, type Documents, idOf, VERSIONS } from './documents.ts';

/** Texts, most of them of a few hundred bytes; of many keys it is only known that there is none. */
const MOST = 20_000;

/**
 * Documents that are read once, until this process writes them: what every command asks for costs no query. Of those that
 * other processes write, too, only what may be as old as the caller says is not read again.
 */
export function readOnce(
  documents: Documents,
  clock: Pick<Clock, 'now' | 'monotonic'>,
  { isSoleWriter }: { readonly isSoleWriter: boolean },
): Documents {
  const known = createTtlMemo<string, Awaited<ReturnType<Documents['read']>>>(
    clock,
    Number.POSITIVE_INFINITY,
    MOST,
  );

  function forget(changed: readonly Pick<Document, 'collection' | 'key'>[]): void {
    for (const { collection, key } of changed) {
      known.delete(idOf({ collection, key }));
      known.delete(idOf({ collection: VERSIONS, key: collection }));
    }
  }

  const read: Documents['read'] = async (collection, key, maxAge = 0) => {
    if (!isSoleWriter && maxAge === 0) return documents.read(collection, key);
    const age = isSoleWriter ? Number.POSITIVE_INFINITY : maxAge;
    return known.get(idOf({ collection, key }), () => documents.read(collection, key), age);
  };

  return {
    ...documents,
    // Nobody else's clock counts for a sole writer.
    read: isSoleWriter ? async (...asked) => ({ ...(await read(...asked)), now: clock.now() }) : read,
    async commit(seen, written) {
      try {
        return await documents.commit(seen, written);
      } finally {
        // A document that was seen and has changed is read again. A read that has begun meanwhile may be either.
        forget([...seen, ...written]);
      }
    },
  };
}
