/**
 * Reads the service's JSON, of either generation. Fields that we do not show are ignored. A missing or broken field
 * becomes `null` and costs only its own line; a broken row of a list is left out. Anything present but unreadable
 * is reported to `read` by name, so that changes are noticed. Records are JSON themselves.
 */
import { z } from 'zod';
import { LONGEST_TEXT } from './leaves.ts';
import { read } from './read.ts';

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
  return few.pipe(z.array(optional(name, row))).transform(readable<Row>(name));
}

function readable<Row>(name: string) {
  return (read: readonly (Row | null)[], context: z.RefinementCtx): Row[] => {
    const found = read.flatMap((entry) => entry ?? []);
    if (read.length > 0 && found.length === 0)
      context.addIssue({ code: 'custom', message: `no readable ${name}` });
    return found;
  };
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

interface Entry<Value> {
  readonly key: string;
  readonly value: Value;
}

function map(most: number): z.ZodType<object> {
  return z.custom<object>((value) => {
    if (typeof value !== 'object' || value === null) return false;
    // The keys of a list of a million would have to be made first.
    return (Array.isArray(value) ? value : Object.keys(value)).length <= most;
  });
}

function split(whole: object): readonly Entry<unknown>[] {
  return Object.entries<unknown>({ ...whole }).map(([key, value]) => ({ key, value }));
}

function entry<Value>(value: z.ZodType<Value>): z.ZodType<Entry<Value>> {
  return z.object({ key: z.string().max(LONGEST_TEXT), value });
}

/**
 * An object with arbitrary keys, as a list of its own entries, so that `__proto__` is a name like any other. PHP
 * writes an empty one as `[]`, and one with the keys 0, 1, 2 … as a list.
 */
export function entries<Value>(name: string, value: z.ZodType<Value>): z.ZodType<Entry<Value>[]> {
  return map(MAX_ROWS)
    .transform((whole): unknown => split(whole))
    .pipe(rows(name, entry(value)));
}

/** In how many readings a row may be missing: each of the four live files is read in turn, and one may fail. */
const REMEMBERED = 8;

/**
 * The rows that `toRow` makes of such an object of at most so many, which is read every second. One whose fields in use are as they were in
 * the last readings is not read again: it is the same object as before.
 */
export function returningEntries<Value, Row extends object>(
  name: string,
  {
    value,
    used,
    most,
  }: { readonly value: z.ZodType<Value>; readonly used: readonly string[]; readonly most: number },
  toRow: (value: Value, key: string) => Row,
): z.ZodType<Row[]> {
  const row = entry(value).transform((read) => toRow(read.value, read.key));
  /** By what they were read of; `seen`: by which reading last. */
  const known = new Map<string, { readonly row: Row; seen: number }>();
  let readings = 0;

  /** Null where something of it is unreadable, which is to be reported each time. */
  function rowOf(one: Entry<unknown>): Row | null {
    if (typeof one.value !== 'object' || one.value === null) return null;
    const parts: unknown[] = [one.key];
    for (const field of used) parts.push(Reflect.get(one.value, field));
    const content = JSON.stringify(parts);
    const before = known.get(content);
    if (before !== undefined) {
      before.seen = readings;
      return before.row;
    }
    const { record, unreadable } = read(row, one);
    if (record === null || unreadable.length > 0) return null;
    known.set(content, { row: record, seen: readings });
    return record;
  }

  function readAll(all: readonly Entry<unknown>[]): readonly (Row | null)[] {
    readings += 1;
    const found = all.map(rowOf);
    for (const [content, { seen }] of known) if (readings - seen >= REMEMBERED) known.delete(content);
    return found;
  }

  return map(most)
    .transform((whole): unknown => {
      const all = split(whole);
      const found = readAll(all);
      return { found, others: all.filter((_, at) => found[at] === null) };
    })
    .pipe(z.object({ found: z.custom<readonly (Row | null)[]>(), others: z.array(optional(name, row)) }))
    .transform(({ found, others }) => {
      const inOrder = others.values();
      return found.map((one) => one ?? inOrder.next().value ?? null);
    })
    .transform(readable<Row>(name));
}
