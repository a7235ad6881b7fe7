import { type Document, type Documents, VERSIONS, versionIn } from './documents.ts';

/** Texts, most of them of a few hundred bytes; of many keys it is only known that there is none. */
const MOST = 20_000;

type Read = ReturnType<Documents['read']>;

/**
 * Documents that only this process changes: each is read once, until it is written. What every command asks for costs no
 * query. Not for those that processes share.
 */
export function readOnce(documents: Documents, now: () => number): Documents {
  const known = new Map<string, Read>();

  function remember(id: string, read: Read): Read {
    if (known.size >= MOST) known.clear();
    known.set(id, read);
    read.catch(() => known.delete(id));
    return read;
  }

  function forget(changed: readonly Pick<Document, 'collection' | 'key'>[]): void {
    for (const { collection, key } of changed) {
      known.delete(idOf(collection, key));
      known.delete(idOf(VERSIONS, collection));
    }
  }

  const read: Documents['read'] = async (collection, key) => {
    const id = idOf(collection, key);
    const { text } = await (known.get(id) ?? remember(id, documents.read(collection, key)));
    return { text, now: now() };
  };

  return {
    ...documents,
    read,
    version: (collection) => versionIn(read, collection),
    async commit(seen, written) {
      try {
        return await documents.commit(seen, written);
      } finally {
        // Also what was seen: if it has changed, it is to be read again. A read that has begun meanwhile may be either.
        forget([...seen, ...written]);
      }
    },
  };
}

/** No collection's name has a space. */
function idOf(collection: string, key: string): string {
  return `${collection} ${key}`;
}
