/**
 * Reads the service's JSON, of either generation. Fields that we do not show are ignored. A missing or broken field
 * becomes `null` and costs only its own line; a broken row of a list is left out. Anything present but unreadable
 * is reported to `read` by name, so that changes are noticed. Records are JSON themselves.
 */
import { z } from 'zod';
import { endAtNul, LONGEST_TEXT } from './leaves.ts';
import { isUnreadable, readRecord, UNREADABLE, type Unreadable } from './read.ts';

/** Refuses what is marked as unreadable in a stored body, whatever the schema would make of it. */
function unmarked<T>(leaf: z.ZodType<T>): z.ZodType<T> {
  return z.custom<unknown>((value) => !isUnreadable(value)).pipe(leaf);
}

/**
 * `null` where the field is absent, and {@link UNREADABLE} where it is broken; a broken one is reported to `read` under
 * `name`. A field that was broken when its body was stored is marked there, and so is broken again.
 */
function optional<T>(name: string, leaf: z.ZodType<T>): z.ZodType<T | null | Unreadable> {
  return (
    unmarked(leaf)
      .nullish()
      .transform((value): { readonly value: T | null } | { readonly unreadable: unknown } => ({
        value: value ?? null,
      }))
      .catch(({ input }) => (input === '' ? { value: null } : { unreadable: input }))
      .transform((reading, context): T | null | Unreadable => {
        if ('value' in reading) return reading.value;
        context.addIssue({ code: 'custom', params: { unreadable: name, input: reading.unreadable } });
        return z.NEVER;
      })
      // A caught issue is finalised first, and so passes this parse's error map: that is how `read` hears of it.
      .catch(UNREADABLE)
  );
}

function mapShape(shape: Record<string, z.ZodType>, map: (name: string, leaf: z.ZodType) => z.ZodType) {
  return Object.fromEntries(Object.entries(shape).map(([name, leaf]) => [name, map(name, leaf)]));
}

/** Makes each field of an object optional by itself. */
export function lenientFields<Shape extends Record<string, z.ZodType>>(shape: Shape) {
  // `fromEntries` loses which name belongs to which leaf; the mapping keeps them paired.
  return mapShape(shape, (name, leaf) => optional(name, leaf).transform(readableOf)) as {
    [Name in keyof Shape]: z.ZodType<z.output<Shape[Name]> | null>;
  };
}

/** Does the same, for fields from which something is concluded: a broken one is {@link UNREADABLE}, not null. */
export function judgedFields<Shape extends Record<string, z.ZodType>>(shape: Shape) {
  return mapShape(shape, optional) as {
    [Name in keyof Shape]: z.ZodType<z.output<Shape[Name]> | null | Unreadable>;
  };
}

/** Returns the value of a judged field; null if it is absent or unreadable. */
export function readableOf<T>(value: T | Unreadable): T | null {
  return isUnreadable(value) ? null : value;
}

/** Far more than anyone owns. Parsing a 1 MiB body that is one broken list would block the process for seconds. */
const MAX_ROWS = 10_000;

interface Rows<Row> {
  readonly rows: Row[];
  /** No row was left out as unreadable. */
  readonly isWhole: boolean;
}

/**
 * Returns the readable rows of a list of entries. If there are rows and none is readable, the list itself is broken: never
 * report it as empty.
 */
function rows<Row extends object>(name: string, row: z.ZodType<Row | null>): z.ZodType<Rows<Row>> {
  return z.array(optional(name, row)).transform((read, context) => {
    const found = read.flatMap((one) => readableOf(one) ?? []);
    reportNone(name, read, found, context);
    return { rows: found, isWhole: !read.includes(UNREADABLE) };
  });
}

function reportNone(
  name: string,
  read: readonly unknown[],
  found: readonly unknown[],
  context: z.RefinementCtx,
): void {
  if (read.length > 0 && found.length === 0)
    context.addIssue({ code: 'custom', message: `no readable ${name}` });
}

/** PHP writes an empty list as `{}`, and one with gaps as an object with numbers for keys. */
const listLike = z.custom<object>(
  (value) =>
    isSmall(value, MAX_ROWS) &&
    (Array.isArray(value) || Object.keys(value).every((key) => /^\d+$/.test(key))),
);

/** Reads a list, and says whether all of it was readable; an unreadable row is reported as `name`. */
export function partialList<Row extends object>(name: string, row: z.ZodType<Row>): z.ZodType<Rows<Row>> {
  const value = z.object({ value: unmarked(row).nullish() }).transform((one) => one.value ?? null);
  return listLike.transform((whole): unknown => split(whole)).pipe(rows(name, value));
}

/** A list; an unreadable row is reported as `name`. */
export function lenientList<Row extends object>(name: string, row: z.ZodType<Row>): z.ZodType<Row[]> {
  return partialList(name, row).transform((read) => read.rows);
}

interface Entry<Value> {
  readonly key: string;
  readonly value: Value;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isSmall(value: unknown, most: number): value is object {
  if (!isObject(value)) return false;
  // The keys of a list of a million would have to be made first.
  return (Array.isArray(value) ? value : Object.keys(value)).length <= most;
}

function map(most: number): z.ZodType<object> {
  return z.custom<object>((value) => isSmall(value, most));
}

/** Reads each value only when its entry is judged, which tells `read` the place of what is refused. */
function split(whole: object): readonly Entry<unknown>[] {
  return Object.keys(whole).map((key) => ({
    key,
    get value(): unknown {
      return Reflect.get(whole, key);
    },
  }));
}

function entry<Value>(value: z.ZodType<Value>): z.ZodType<Entry<Value>> {
  return z.object({ key: z.string().max(LONGEST_TEXT).transform(endAtNul), value: unmarked(value) });
}

/**
 * An object with arbitrary keys, as a list of its own entries, so that `__proto__` is a name like any other. PHP
 * writes an empty one as `[]`, and one with the keys 0, 1, 2 … as a list.
 */
export function lenientEntries<Value>(name: string, value: z.ZodType<Value>): z.ZodType<Entry<Value>[]> {
  return map(MAX_ROWS)
    .transform((whole): unknown => split(whole))
    .pipe(rows(name, entry(value)))
    .transform((read) => read.rows);
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
    const { value: content } = one;
    // Judged by the schema, which is not asked about a row that looks like one that is known.
    if (!isObject(content) || Array.isArray(content) || isUnreadable(content)) return null;
    const parts: unknown[] = [one.key];
    for (const field of used) parts.push(Reflect.get(content, field));
    const written = JSON.stringify(parts);
    const before = known.get(written);
    if (before !== undefined) {
      before.seen = readings;
      return before.row;
    }
    const { record, unreadable } = readRecord(row, one);
    if (record === null || unreadable.length > 0) return null;
    known.set(written, { row: record, seen: readings });
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
    .pipe(
      z.object({
        found: z.custom<readonly (Row | null)[]>(),
        others: z.array(optional(name, row).transform(readableOf)),
      }),
    )
    .transform(({ found, others }) => {
      const inOrder = others.values();
      return found.map((one) => one ?? inOrder.next().value ?? null);
    })
    .transform((read, context) => {
      const found = read.flatMap((one) => one ?? []);
      reportNone(name, read, found, context);
      return found;
    });
}
