/** A body that knows what was looked at while it was read. */
export interface Watched {
  readonly body: unknown;
  /** For what was looked at under that name and could not be read: it is not kept. */
  refuse(name: string, input: unknown): void;
  /** What was looked at and not refused: read again, it comes to the same record. */
  kept(): unknown;
}

/** An object or list, and its properties that were looked at: plain values, or watched ones. */
interface Part {
  readonly whole: object;
  readonly looked: Map<string, unknown>;
}

/**
 * Finds out which parts of a body a schema looks at, whatever the schema is made of. The rest may be large, and may hold
 * what must not be stored, such as the address of the request with the key in it.
 */
export function watch(body: unknown): Watched {
  const parts = new WeakMap<object, Part>();
  const refused = new Set<unknown>();

  function watched(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const looked: Part['looked'] = new Map();
    const proxy = new Proxy(value, {
      get(target, name) {
        const found: unknown = Reflect.get(target, name);
        if (typeof name === 'symbol' || !Object.hasOwn(target, name)) return found;
        if (!looked.has(name)) looked.set(name, watched(found));
        return looked.get(name);
      },
    });
    parts.set(proxy, { whole: value, looked });
    return proxy;
  }

  /** A plain value is known by what it is and by its name; in a list, whose rows have none, by what it is. */
  function isRefused(name: string, value: unknown): boolean {
    if (/^\d+$/.test(name) && typeof value === 'string' && refused.has(value)) return true;
    return refused.has(typeof value === 'object' && value !== null ? value : pair(name, value));
  }

  /** Undefined where there is nothing to keep. */
  function keptOf(name: string, value: unknown): unknown {
    if (isRefused(name, value)) return undefined;
    if (typeof value !== 'object' || value === null) return value;
    const part = parts.get(value);
    if (part === undefined) return undefined;
    const inner = (key: string): unknown => keptOf(key, part.looked.get(key));
    // Every row keeps its place.
    if (Array.isArray(part.whole)) return part.whole.map((_, index) => inner(String(index)) ?? null);
    const names = Object.keys(part.whole).filter((key) => part.looked.has(key));
    return Object.fromEntries(names.map((key) => [key, inner(key)]).filter(([, kept]) => kept !== undefined));
  }

  function refuse(name: string, input: unknown): void {
    if (typeof input !== 'object' || input === null) refused.add(pair(name, input)).add(input);
    else if (parts.has(input)) refused.add(input);
    // An entry of a map, which lenient.ts takes apart.
    else if ('key' in input && 'value' in input) refuse(String(input.key), input.value);
  }

  const seen = watched(body);
  return { body: seen, refuse, kept: () => keptOf('', seen) };
}

function pair(name: string, value: unknown): string {
  return JSON.stringify([name, value]);
}
