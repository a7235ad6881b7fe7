import type { z } from 'zod';
import { MAX_TEXT_LENGTH } from './leaves.ts';

/**
 * Marks the place of a field or row that could not be read, in the part of a body that is stored: what was refused stays
 * refused, whoever reads it again. It holds nothing of what was sent.
 */
export const UNREADABLE = { unreadable: true } as const;
export type Unreadable = typeof UNREADABLE;

export function isUnreadable(value: unknown): value is Unreadable {
  return (
    typeof value === 'object' &&
    value !== null &&
    'unreadable' in value &&
    value.unreadable === true &&
    Object.keys(value).length === 1
  );
}

/** A record; or where the body is unreadable, by the service's field names only: never a value. */
export type Reading<Row> = (
  | { readonly record: Row; readonly problem: null }
  | { readonly record: null; readonly problem: string }
) & {
  /** Fields that are present but unreadable, and rows left out, each once. */
  readonly unreadable: readonly string[];
};

/** `refuse` is called with the value of each unreadable field or row, right after it was read from its place. */
export function readRecord<Row>(
  schema: z.ZodType<Row>,
  body: unknown,
  refuse: (input: unknown) => void = () => {},
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
      refuse(input);
      return undefined;
    },
  });
  const unreadable = [...names];
  if (result.success) return { record: result.data, problem: null, unreadable };
  // Only the first few: all issues of a broken list take half a megabyte.
  const places = result.error.issues.slice(0, 5).flatMap(placesOf).slice(0, 5);
  return { record: null, problem: `unreadable: ${places.join(', ')}`, unreadable };
}

/** Missing places of a body; if it may have one of several forms, those of each form. */
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
    if (typeof body !== 'object' || body === null) return readRecord(schema, body);
    const reading = readings.get(body) ?? readRecord(schema, body);
    const { record } = reading;
    readings.set(body, reading);
    if (typeof record === 'object' && record !== null) readings.set(record, reading);
    return reading;
  };
}

/** Returns the part of a body that is used; read by itself, it gives the same record. `reading` is that of the whole body. */
export function pickUsedPart<Row>(
  schema: z.ZodType<Row>,
  input: unknown,
): { readonly body: unknown; readonly reading: Reading<Row> } {
  const { body, refuse, used } = recordReads(input);
  const reading = readRecord(schema, body, refuse);
  return { body: reading.problem === null ? used() : null, reading };
}

/** An object or list, with the properties that were read: plain values, or watched ones. */
interface Part {
  readonly source: object;
  readonly accessed: Map<string, unknown>;
}

/**
 * Finds out which parts of a body a schema reads, whatever the schema is made of. The rest may be large, and may
 * contain what must not be stored, such as the request's URL with the key in it.
 *
 * A plain value has no identity, so its place is the one that was read last: zod judges each value before it reads the next.
 */
function recordReads(body: unknown): {
  readonly body: unknown;
  /** Marks the place of this value as unreadable. */
  refuse(input: unknown): void;
  /** Input with marks instead of what was refused; read again, it gives the same record. */
  used(): unknown;
} {
  const recordings = new WeakMap<object, Part>();
  /** Each object or list has one place, and so does its watched form. */
  const refused = new Set<unknown>();
  let last: { readonly part: Part; readonly name: string } | null = null;

  function recorded(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const accessed: Part['accessed'] = new Map();
    const part = { source: value, accessed };
    const proxy = new Proxy(value, {
      get(target, name) {
        const property: unknown = Reflect.get(target, name);
        if (typeof name === 'symbol' || !Object.hasOwn(target, name)) return property;
        last = { part, name };
        if (accessed.get(name) === UNREADABLE) return property;
        if (!accessed.has(name)) accessed.set(name, recorded(property));
        return accessed.get(name);
      },
    });
    recordings.set(proxy, part);
    return proxy;
  }

  function usedOf(value: unknown): unknown {
    if (refused.has(value)) return UNREADABLE;
    if (typeof value !== 'object' || value === null) return value;
    const part = recordings.get(value);
    if (part === undefined) return value === UNREADABLE ? UNREADABLE : undefined;
    const inner = (key: string): unknown => usedOf(part.accessed.get(key));
    if (Array.isArray(part.source)) return part.source.map((_, index) => inner(String(index)) ?? null);
    // No longer name is read, and it may be anything.
    const names = Object.keys(part.source).filter(
      (key) => part.accessed.has(key) && key.length <= MAX_TEXT_LENGTH,
    );
    return Object.fromEntries(names.map((key) => [key, inner(key)]));
  }

  function refuse(input: unknown): void {
    if (typeof input !== 'object' || input === null) {
      if (last !== null && Object.is(last.part.accessed.get(last.name), input))
        last.part.accessed.set(last.name, UNREADABLE);
    } else if (recordings.has(input)) refused.add(input);
    // An entry, which lenient.ts splits: its value is read again, and so is the last one.
    else if ('key' in input && 'value' in input) refuse(input.value);
  }

  const recording = recorded(body);
  return { body: recording, refuse, used: () => usedOf(recording) };
}
