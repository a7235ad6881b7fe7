/** Recently used values, limited in bytes. */
interface Memory<Value> {
  get(key: string): Value | null;
  set(key: string, value: Value, bytes: number): void;
}

interface Held<Value> {
  readonly value: Value;
  readonly bytes: number;
}

/** Evicts the least recently used values. */
export function createMemory<Value>(maxBytes: number): Memory<Value> {
  // A map keeps insertion order.
  const all = new Map<string, Held<Value>>();
  let bytes = 0;

  function remove(key: string): Held<Value> | undefined {
    const held = all.get(key);
    if (held !== undefined) bytes -= held.bytes;
    all.delete(key);
    return held;
  }

  function add(key: string, held: Held<Value>): void {
    all.set(key, held);
    bytes += held.bytes;
  }

  return {
    get(key) {
      const held = remove(key);
      if (held === undefined) return null;
      add(key, held);
      return held.value;
    },
    set(key, value, size) {
      remove(key);
      add(key, { value, bytes: size });
      for (const oldest of all.keys()) {
        if (bytes <= maxBytes) break;
        remove(oldest);
      }
    },
  };
}
