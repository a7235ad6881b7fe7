/**
 * Leaves and lists of the service's JSON, with the tolerances of field notes §2. What is absent is `null`, what is
 * present but unreadable is `null` as well and is told by name, so that nothing drifts away unseen.
 */
import { z } from 'zod';

export const number = z.union([
  z.number(),
  z
    .string()
    .regex(/^\s*[+-]?\d{1,30}(\.\d{1,30})?([eE][+-]?\d{1,3})?\s*$/)
    .transform(Number)
    .pipe(z.number()),
]);

export const flag = z.union([
  z.boolean(),
  z.literal([0, '0', 'false', '']).transform(() => false),
  z.literal([1, '1', 'true']).transform(() => true),
]);

export const text = z.union([z.string(), z.number().transform(String)]);

/** Below this a number is seconds since 1970, from it on milliseconds: the border lies in 1973 and in 5138. */
const MILLISECONDS_FROM = 1e11;
/** The last moment that a `Date` can hold. */
const END_OF_TIME = 8.64e15;

const isoDate =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?))?\s?(Z|[+-]\d{2}:?\d{2})?$/i;

/** ISO 8601 as databases and PHP write it. Without a zone it is UTC, wherever this process runs. */
function readIso(iso: string): number {
  const [, date, time = '00:00', zone = 'Z'] = isoDate.exec(iso.trim()) ?? [];
  if (date === undefined) return Number.NaN;
  return Date.parse(`${date}T${time}${zone.toUpperCase().replace(/^([+-]\d\d):?/, '$1:')}`);
}

/** Unix milliseconds. Zero, an empty string and a database's zero date all mean never. */
export const moment = z.union([
  z.literal(['', '0000-00-00', '0000-00-00 00:00:00']).transform(() => null),
  number
    .transform((value) => (value < MILLISECONDS_FROM ? Math.round(value * 1000) : value))
    .pipe(z.number().max(END_OF_TIME))
    .transform((value) => (value <= 0 ? null : value)),
  z.string().transform(readIso).pipe(z.number()),
]);

/** Protocol-relative in the interface; chat accepts only an address with its protocol. */
export const imageUrl = z
  .string()
  .transform((url) => (url.startsWith('//') ? `https:${url}` : url))
  .pipe(z.url({ protocol: /^https$/ }));

/** `null` where the field is absent or broken; the second is told to {@link read} under `name`. */
function optional<T>(name: string, leaf: z.ZodType<T>): z.ZodType<T | null> {
  return (
    leaf
      .nullish()
      .transform((value): { value: T | null } | null => ({ value: value ?? null }))
      .catch(({ input }) => (input === '' ? { value: null } : null))
      .transform((reading, context) => {
        if (reading !== null) return reading.value;
        context.addIssue({ code: 'custom', params: { unreadable: name } });
        return z.NEVER;
      })
      // What is caught is finished first, and so passes the error map of this parse: that is how it is told.
      .catch(null)
  );
}

/** Makes every field of an object optional, each on its own. */
export function fields<Shape extends Record<string, z.ZodType>>(shape: Shape) {
  const named = Object.entries(shape).map(([name, leaf]) => [name, optional(name, leaf)]);
  // `fromEntries` forgets which name belongs to which leaf; the mapping above keeps them.
  return Object.fromEntries(named) as { [Name in keyof Shape]: z.ZodType<z.output<Shape[Name]> | null> };
}

/** Far more than anybody owns. Reading a body of 2 MiB that is one broken list would halt the process for seconds. */
const MAX_ROWS = 10_000;

/** The readable rows. When there are rows and none is readable, it is the list that is broken: never an empty one. */
function rows<Row extends object>(name: string, row: z.ZodType<Row>): z.ZodType<Row[]> {
  const few = z.custom<unknown[]>((value) => Array.isArray(value) && value.length <= MAX_ROWS);
  return few.pipe(z.array(optional(name, row))).transform((read, context) => {
    const readable = read.flatMap((entry) => entry ?? []);
    if (read.length > 0 && readable.length === 0) {
      context.addIssue({ code: 'custom', message: `no readable ${name}` });
    }
    return readable;
  });
}

/** PHP writes an empty list as `{}`, and one with gaps as an object with numbers for keys. */
function asList(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.keys(value).every((key) => /^\d+$/.test(key)) ? Object.values(value) : value;
}

/** A list; `name` is what one row of it is called where it is told that a row is unreadable. */
export function list<Row extends object>(name: string, row: z.ZodType<Row>): z.ZodType<Row[]> {
  return z.preprocess(asList, rows(name, row));
}

/**
 * An object keyed by strangers' strings, as a list of its own entries: `__proto__` and its like are names as any
 * other. PHP writes an empty one as `[]`, and one with the keys 0, 1, 2 … as a list.
 */
export function entries<Value>(name: string, value: z.ZodType<Value>) {
  return z
    .custom<object>((map) => typeof map === 'object' && map !== null && Object.keys(map).length <= MAX_ROWS)
    .transform((map): unknown => Object.entries<unknown>({ ...map }).map(([key, value]) => ({ key, value })))
    .pipe(rows(name, z.object({ key: z.string(), value })));
}

/** The outcome of {@link read}: a record, or where it cannot be read, in the names of the interface alone. */
export type Reading<Row> =
  | { readonly record: Row; readonly problem: null }
  | { readonly record: null; readonly problem: string };

/**
 * Reads one answer. `unreadable` is called with the name of each field that is present and unreadable, and of each
 * row that had to be left out; never with a value.
 */
export function read<Row>(
  schema: z.ZodType<Row>,
  body: unknown,
  unreadable: (field: string) => void,
): Reading<Row> {
  const result = schema.safeParse(body, {
    error: (issue) => {
      const name: unknown = issue.code === 'custom' ? issue.params?.['unreadable'] : undefined;
      if (typeof name === 'string') unreadable(name);
      return undefined;
    },
  });
  if (result.success) return { record: result.data, problem: null };
  // The first few only: the whole of a broken list's issues fills half a megabyte.
  const places = result.error.issues.slice(0, 5).map(({ path }) => path.join('.') || 'the whole');
  return { record: null, problem: `unreadable: ${places.join(', ')}` };
}
