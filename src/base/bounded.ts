/** Values by key, of which there are never more than memory has room for. */
interface Bounded<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  clear(): void;
}

/** Forgets what was set longest ago where all together weigh more than `most`; `weigh`: one each, if not told. */
export function createBoundedMap<Key, Value>(
  most: number,
  weigh: (value: Value) => number = () => 1,
): Bounded<Key, Value> {
  // A map keeps the order in which its entries were set.
  const all = new Map<Key, Value>();
  let weight = 0;

  function remove(key: Key): void {
    const value = all.get(key);
    if (value !== undefined) weight -= weigh(value);
    all.delete(key);
  }

  return {
    get: (key) => all.get(key),
    set(key, value) {
      remove(key);
      all.set(key, value);
      weight += weigh(value);
      for (const oldest of all.keys()) {
        if (weight <= most) return;
        remove(oldest);
      }
    },
    delete: remove,
    clear() {
      all.clear();
      weight = 0;
    },
  };
}
