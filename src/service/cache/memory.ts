/** Entries that were used lately, within a bound. */
export interface Memory<Value> {
  get(key: string): Value | null;
  set(key: string, value: Value): void;
}

/** Those that were used longest ago go first. */
export function createMemory<Value>(most: number): Memory<Value> {
  const entries = new Map<string, Value>();

  function touch(key: string, value: Value): void {
    // A map is in the order of its insertions.
    entries.delete(key);
    entries.set(key, value);
  }

  return {
    get(key) {
      const value = entries.get(key);
      if (value === undefined) return null;
      touch(key, value);
      return value;
    },
    set(key, value) {
      touch(key, value);
      for (const oldest of entries.keys()) {
        if (entries.size <= most) break;
        entries.delete(oldest);
      }
    },
  };
}
