import { createBoundedMap } from './bounded.ts';

/**
 * Caches results by key: creating a formatter costs far more than using it. Keeps those of the
 * `most` that were made last.
 */
export function memoiseByKey<Key, Value>(
  make: (key: Key) => Value,
  most = Number.POSITIVE_INFINITY,
): (key: Key) => Value {
  const made = createBoundedMap<Key, Value>(most);
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}
