import { createBoundedMap } from './bounded.ts';

/**
 * Caches results by key: creating a formatter costs far more than using it. Keeps the latest `maxEntries` results.
 */
export function memoiseByKey<Key, Value>(
  make: (key: Key) => Value,
  maxEntries = Number.POSITIVE_INFINITY,
): (key: Key) => Value {
  const cache = createBoundedMap<Key, Value>(maxEntries);
  return (key) => {
    const cachedValue = cache.get(key);
    if (cachedValue !== undefined) return cachedValue;
    const value = make(key);
    cache.set(key, value);
    return value;
  };
}
