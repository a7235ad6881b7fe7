/**
 * How the service's JSON is read, of either generation. A field that we do not show is not read; one that is missing
 * or broken becomes `null` and costs its own line only; a broken row of a list is left out. What is present and
 * unreadable is reported by name to `read`, so that nothing drifts away unseen. Records are JSON themselves.
 */
import { z } from 'zod';
import { LONGEST_TEXT } from './leaves.ts';

/** `null` where the field is absent or broken; the second is reported to `read` under `name`. */
function optional<T>(name: string, leaf: z.ZodType<T>): z.ZodType<T | null> {
  return (
    leaf
      .nullish()
      .transform((value): { readonly value: T | null } | { readonly unreadable: unknown } => ({
        value: value ?? null,
      }))
      .catch(({ input }) => (input === '' ? { value: null } : { unreadable: input }))
      .transform((reading, context) => {
        if ('value' in reading) return reading.value;
        context.addIssue({ code: 'custom', params: { unreadable: name, input: reading.unreadable } });
        return z.NEVER;
      })
      // What is caught is finished first, and so passes the error map of this parse: that is how it is reported.
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

/** A list; `name` is what one row of it is called where it is reported that a row is unreadable. */
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
    .pipe(rows(name, z.object({ key: z.string().max(LONGEST_TEXT), value })));
}
