import { bounded } from './bounded.ts';

/**
 * Caches results by key: creating a formatter costs far more than using it. Keeps those of the
 * `most` that were made last.
 */
export function memoised<Key, Value>(
  make: (key: Key) => Value,
  most = Number.POSITIVE_INFINITY,
): (key: Key) => Value {
  const made = bounded<Key, Value>(most);
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}
