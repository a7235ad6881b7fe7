import { Keyv, type KeyvStoreAdapter } from 'keyv';
import type { Limits, Stores } from './stores.ts';

export function createNamespaces(
  adapterFor: (name: string, limits: Limits) => Pick<KeyvStoreAdapter, 'get' | 'set' | 'delete'>,
): Stores['namespace'] {
  const usedNames = new Set<string>();
  return (name, limits) => {
    // Two adapters with one name would each count only their own writes.
    if (usedNames.has(name)) throw new RangeError(`the namespace ${name} is already in use`);
    usedNames.add(name);
    return new Keyv({
      // Keyv takes none without `clear`, and nothing empties a namespace.
      store: { ...adapterFor(name, limits), clear: () => Promise.reject(new Error('cannot be emptied')) },
      // The adapter separates namespaces; Keyv's own prefix confuses keys that start like it.
      useKeyPrefix: false,
      serialize: JSON.stringify,
      deserialize: JSON.parse,
      throwOnErrors: true,
      emitErrors: false,
    });
  };
}
