/**
 * A map with an upper limit on the total weight of its values, and on their number: drops the entries that were set first while
 * it is above one of them. Each value weighs 1 by default.
 */
export function createBoundedMap<Key, Value>(
  maxWeight: number,
  weigh: (value: Value) => number = () => 1,
  maxEntries = Number.POSITIVE_INFINITY,
) {
  // A map keeps the order in which its entries were set.
  const entries = new Map<Key, Value>();
  let weight = 0;

  function remove(key: Key): void {
    const value = entries.get(key);
    if (value !== undefined) weight -= weigh(value);
    entries.delete(key);
  }

  return {
    get: (key: Key): Value | undefined => entries.get(key),
    /** The values, in the order in which they were set. */
    values: (): Iterable<Value> => entries.values(),
    set(key: Key, value: Value): void {
      remove(key);
      entries.set(key, value);
      weight += weigh(value);
      for (const oldest of entries.keys()) {
        if (weight <= maxWeight && entries.size <= maxEntries) return;
        remove(oldest);
      }
    },
    delete: remove,
    clear(): void {
      entries.clear();
      weight = 0;
    },
  };
}
