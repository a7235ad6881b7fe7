import type { z } from 'zod';

/** A record; or where the body is unreadable, by the service's field names only: never a value. */
export type Reading<Row> = (
  | { readonly record: Row; readonly problem: null }
  | { readonly record: null; readonly problem: string }
) & {
  /** Fields that are present but unreadable, and rows left out, each once. */
  readonly unreadable: readonly string[];
};

/** `refuse` is called with the name and the value of each unreadable field or row. */
export function read<Row>(
  schema: z.ZodType<Row>,
  body: unknown,
  refuse: (name: string, input: unknown) => void = () => {},
): Reading<Row> {
  const names = new Set<string>();
  const result = schema.safeParse(body, {
    // Bodies come a few times a second at most: compiling a parser for each kind never pays.
    jitless: true,
    error: (issue) => {
      const { unreadable, input }: Record<string, unknown> =
        issue.code === 'custom' ? (issue.params ?? {}) : {};
      if (typeof unreadable !== 'string') return undefined;
      names.add(unreadable);
      refuse(unreadable, input);
      return undefined;
    },
  });
  const unreadable = [...names];
  if (result.success) return { record: result.data, problem: null, unreadable };
  // Only the first few: all issues of a broken list take half a megabyte.
  const places = result.error.issues.slice(0, 5).flatMap(placesOf).slice(0, 5);
  return { record: null, problem: `unreadable: ${places.join(', ')}`, unreadable };
}

/** Of a body that may have one of several forms, what each of them lacks. */
function placesOf(issue: z.core.$ZodIssue): readonly string[] {
  const place = issue.path.join('.');
  if (place === '' && issue.code === 'invalid_union')
    return issue.errors.flatMap((form) => form.flatMap(placesOf));
  return [place || 'the whole'];
}

/**
 * Reads bodies of one kind. The same body object, as when it is cached, is parsed only once; and the record that was read
 * of one stands for it.
 */
export function createReader<Row>(schema: z.ZodType<Row>): (body: unknown) => Reading<Row> {
  const readings = new WeakMap<object, Reading<Row>>();
  return (body) => {
    if (typeof body !== 'object' || body === null) return read(schema, body);
    const reading = readings.get(body) ?? read(schema, body);
    const { record } = reading;
    readings.set(body, reading);
    if (typeof record === 'object' && record !== null) readings.set(record, reading);
    return reading;
  };
}

/** The part of a body that is used; read by itself, it gives the same record. `reading` is that of the whole body. */
export function usedPart<Row>(
  schema: z.ZodType<Row>,
  whole: unknown,
): { readonly body: unknown; readonly reading: Reading<Row> } {
  const { body, refuse, used } = recordReads(whole);
  const reading = read(schema, body, refuse);
  return { body: reading.problem === null ? used() : null, reading };
}

/** An object or list, with the properties that were read: plain values, or watched ones. */
interface Part {
  readonly whole: object;
  readonly accessed: Map<string, unknown>;
}

/**
 * Finds out which parts of a body a schema reads, whatever the schema is made of. The rest may be large, and may
 * contain what must not be stored, such as the request's URL with the key in it.
 */
function recordReads(body: unknown): {
  readonly body: unknown;
  /** Marks what was read under that name as unreadable: `used` leaves it out. */
  refuse(name: string, input: unknown): void;
  /** What was read and not refused; read again, it gives the same record. */
  used(): unknown;
} {
  const recordings = new WeakMap<object, Part>();
  const refused = new Set<unknown>();

  function recorded(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const accessed: Part['accessed'] = new Map();
    const proxy = new Proxy(value, {
      get(target, name) {
        const found: unknown = Reflect.get(target, name);
        if (typeof name === 'symbol' || !Object.hasOwn(target, name)) return found;
        if (!accessed.has(name)) accessed.set(name, recorded(found));
        return accessed.get(name);
      },
    });
    recordings.set(proxy, { whole: value, accessed });
    return proxy;
  }

  /** A plain value is identified by name and value; in a list, whose rows have no names, by value. */
  function isRefused(name: string, value: unknown): boolean {
    if (/^\d+$/.test(name) && typeof value === 'string' && refused.has(value)) return true;
    return refused.has(typeof value === 'object' && value !== null ? value : pair(name, value));
  }

  function usedOf(name: string, value: unknown): unknown {
    if (isRefused(name, value)) return undefined;
    if (typeof value !== 'object' || value === null) return value;
    const part = recordings.get(value);
    if (part === undefined) return undefined;
    const inner = (key: string): unknown => usedOf(key, part.accessed.get(key));
    if (Array.isArray(part.whole)) return part.whole.map((_, index) => inner(String(index)) ?? null);
    const names = Object.keys(part.whole).filter((key) => part.accessed.has(key));
    return Object.fromEntries(names.map((key) => [key, inner(key)]).filter(([, part]) => part !== undefined));
  }

  function refuse(name: string, input: unknown): void {
    if (typeof input !== 'object' || input === null) refused.add(pair(name, input)).add(input);
    else if (recordings.has(input)) refused.add(input);
    // An entry of a map, which lenient.ts splits.
    else if ('key' in input && 'value' in input) refuse(String(input.key), input.value);
  }

  const seen = recorded(body);
  return { body: seen, refuse, used: () => usedOf('', seen) };
}

function pair(name: string, value: unknown): string {
  return JSON.stringify([name, value]);
}
