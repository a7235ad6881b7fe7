import { type Documents, VERSIONS } from '../../src/store/documents.ts';

/** Documents that end with the test. */
export function documentsInMemory(now: () => number = Date.now): Documents {
  const collections = new Map<string, Map<string, string>>();
  const of = (name: string): Map<string, string> => {
    const found = collections.get(name) ?? new Map<string, string>();
    collections.set(name, found);
    return found;
  };
  const textOf = (name: string, key: string): string | null => of(name).get(key) ?? null;
  const read: Documents['read'] = async (collection, key) => ({ text: textOf(collection, key), now: now() });
  return {
    read,
    all: async (collection) => new Map(of(collection)),
    async commit(read, written) {
      if (read.some(({ collection, key, text }) => textOf(collection, key) !== text)) return false;
      for (const { collection, key, text } of written) {
        if (text === null) of(collection).delete(key);
        else of(collection).set(key, text);
      }
      for (const name of new Set(written.map(({ collection }) => collection)))
        of(VERSIONS).set(name, String(Math.max(Number(textOf(VERSIONS, name) ?? 0) + 1, now() * 1000)));
      return true;
    },
    async naming(id, within) {
      const isNaming = new RegExp(`(?<!\\d)${id}(?!\\d)`);
      return [...collections].flatMap(([collection, texts]) =>
        [...texts].flatMap(([key, text]) =>
          (within ?? collection) === collection && isNaming.test(`${key} ${text}`)
            ? [{ collection, key }]
            : [],
        ),
      );
    },
  };
}
