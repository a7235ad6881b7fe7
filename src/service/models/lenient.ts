/**
 * Reads the service's JSON, of either generation. Fields that we do not show are ignored. A missing or broken field
 * becomes `null` and costs only its own line; a broken row of a list is left out. Anything present but unreadable
 * is reported to `read` by name, so that changes are noticed. Records are JSON themselves.
 */
import { z } from 'zod';
import { LONGEST_TEXT } from './leaves.ts';

/** `null` where the field is absent or broken; a broken one is reported to `read` under `name`. */
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
      // A caught issue is finalised first, and so passes this parse's error map: that is how `read` hears of it.
      .catch(null)
  );
}

/** Makes each field of an object optional by itself. */
export function fields<Shape extends Record<string, z.ZodType>>(shape: Shape) {
  const named = Object.entries(shape).map(([name, leaf]) => [name, optional(name, leaf)]);
  // `fromEntries` loses which name belongs to which leaf; the mapping above keeps them paired.
  return Object.fromEntries(named) as { [Name in keyof Shape]: z.ZodType<z.output<Shape[Name]> | null> };
}

/** Far more than anyone owns. Parsing a 2 MiB body that is one broken list would block the process for seconds. */
const MAX_ROWS = 10_000;

/** The readable rows. If there are rows and none is readable, the list itself is broken: never report it as empty. */
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

/** A list; an unreadable row is reported as `name`. */
export function list<Row extends object>(name: string, row: z.ZodType<Row>): z.ZodType<Row[]> {
  return z.preprocess(asList, rows(name, row));
}

/**
 * An object with arbitrary keys, as a list of its own entries, so that `__proto__` is a name like any other. PHP
 * writes an empty one as `[]`, and one with the keys 0, 1, 2 … as a list.
 */
export function entries<Value>(name: string, value: z.ZodType<Value>) {
  return z
    .custom<object>((map) => typeof map === 'object' && map !== null && Object.keys(map).length <= MAX_ROWS)
    .transform((map): unknown => Object.entries<unknown>({ ...map }).map(([key, value]) => ({ key, value })))
    .pipe(rows(name, z.object({ key: z.string().max(LONGEST_TEXT), value })));
}
