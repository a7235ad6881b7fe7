import { Keyv, type KeyvStoreAdapter } from 'keyv';
import type { Limits, Namespaces } from './stores.ts';

export function createNamespaces(adapterFor: (name: string, limits: Limits) => KeyvStoreAdapter): Namespaces {
  const taken = new Set<string>();
  return (name, limits) => {
    // Two adapters of one name would each count only their own writes.
    if (taken.has(name)) throw new RangeError(`the namespace ${name} is already in use`);
    taken.add(name);
    return new Keyv({
      store: adapterFor(name, limits),
      // The adapter keeps namespaces apart; Keyv's own prefix mistakes keys that begin like it.
      useKeyPrefix: false,
      serialize: JSON.stringify,
      deserialize: JSON.parse,
      throwOnErrors: true,
      emitErrors: false,
    });
  };
}
