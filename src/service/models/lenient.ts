/**
 * Reads the service's JSON, of either generation. Fields that we do not show are ignored. A missing or broken field
 * becomes `null` and costs only its own line; a broken row of a list is left out. Anything present but unreadable
 * is reported to `read` by name, so that changes are noticed. Records are JSON themselves.
 */
import { z } from 'zod';
import { forEachInSlices } from '../../base/for-each-yielding.ts';
import { endAtNul, MAX_TEXT_LENGTH } from './leaves.ts';
import { isUnreadable, type Reading, readRecord, UNREADABLE, type Unreadable } from './read.ts';

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

/** Name of a field or row that was found unreadable before, which is reported as such. */
const reportedName = z
  .string()
  .transform((unreadable, context) => {
    context.addIssue({ code: 'custom', params: { unreadable } });
    return unreadable;
  })
  .catch('');

function mapShape(shape: Record<string, z.ZodType>, map: (name: string, leaf: z.ZodType) => z.ZodType) {
  return Object.fromEntries(Object.entries(shape).map(([name, leaf]) => [name, map(name, leaf)]));
}

/** Makes each field of an object optional by itself. */
export function lenientFields<Shape extends Record<string, z.ZodType>>(shape: Shape) {
  // `fromEntries` loses which name belongs to which leaf; the mapping keeps them paired.
  return mapShape(shape, (name, leaf) => optional(name, leaf).transform(ifReadable)) as {
    [Name in keyof Shape]: z.ZodType<z.output<Shape[Name]> | null>;
  };
}

/** Does the same, for fields from which something is concluded: a broken one is {@link UNREADABLE}, not null. */
export function fieldsOrUnreadable<Shape extends Record<string, z.ZodType>>(shape: Shape) {
  return mapShape(shape, optional) as {
    [Name in keyof Shape]: z.ZodType<z.output<Shape[Name]> | null | Unreadable>;
  };
}

/** Returns the value of a judged field; null if it is absent or unreadable. */
export function ifReadable<T>(value: T | Unreadable): T | null {
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
    const readableRows = read.flatMap((value) => ifReadable(value) ?? []);
    reportNone(name, read, readableRows, context);
    return { rows: readableRows, isWhole: !read.includes(UNREADABLE) };
  });
}

function reportNone(
  name: string,
  read: readonly unknown[],
  readableRows: readonly unknown[],
  context: z.RefinementCtx,
): void {
  if (read.length > 0 && readableRows.length === 0)
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
  const value = z.object({ value: unmarked(row).nullish() }).transform((wrapped) => wrapped.value ?? null);
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

function isSmall(value: unknown, maxSize: number): value is object {
  if (!isObject(value)) return false;
  // The keys of a list of a million would have to be made first.
  return (Array.isArray(value) ? value : Object.keys(value)).length <= maxSize;
}

function map(maxSize: number): z.ZodType<object> {
  return z.custom<object>((value) => isSmall(value, maxSize));
}

/** Reads each value only when its entry is judged, which tells `read` the place of what is refused. */
function split(container: object): readonly Entry<unknown>[] {
  return Object.keys(container).map((key) => ({
    key,
    get value(): unknown {
      return Reflect.get(container, key);
    },
  }));
}

function entry<Value>(value: z.ZodType<Value>): z.ZodType<Entry<Value>> {
  return z.object({ key: z.string().max(MAX_TEXT_LENGTH).transform(endAtNul), value: unmarked(value) });
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

/** Number of readings in which a row may be missing: the four live files are read in turn, and one may fail. */
const MAX_MISSED_READINGS = 8;

/**
 * The rows that `toRow` makes of such an object of at most so many, which is read every second. One whose fields in use are as they were in
 * the last readings is not read again: it is the same object as before, and what was unreadable is reported again.
 */
export function returningEntries<Value, Row extends object>(
  name: string,
  {
    value,
    used: usedFields,
    most: maxRows,
  }: { readonly value: z.ZodType<Value>; readonly used: readonly string[]; readonly most: number },
  toRow: (value: Value, key: string) => Row,
) {
  const row = entry(value).transform((read) => toRow(read.value, read.key));
  /** Readings of rows by the JSON of their fields in use; `seen`: number of the last reading that had it. */
  const cachedReadings = new Map<string, { readonly reading: Reading<Row>; seen: number }>();
  /** By the object whose rows were read before the schema asks for them. */
  const preparedReadings = new WeakMap<object, readonly Reading<Row>[]>();
  let readings = 0;

  /** Null for a row that is not worth a place in the cache. */
  function fingerprintOf({ key, value: content }: Entry<unknown>): string | null {
    if (!isObject(content) || Array.isArray(content) || isUnreadable(content)) return null;
    const parts: unknown[] = [key, ...usedFields.map((field): unknown => Reflect.get(content, field))];
    // To write half a megabyte as JSON takes longer than to judge it.
    const isLong = parts.some((part) => isObject(part) || String(part).length > MAX_TEXT_LENGTH);
    return isLong ? null : JSON.stringify(parts);
  }

  function readRow(rowEntry: Entry<unknown>): Reading<Row> {
    const fingerprint = fingerprintOf(rowEntry);
    const cached = fingerprint === null ? undefined : cachedReadings.get(fingerprint);
    if (cached !== undefined) {
      cached.seen = readings;
      return cached.reading;
    }
    const reading = readRecord(row, rowEntry);
    if (fingerprint !== null) cachedReadings.set(fingerprint, { reading, seen: readings });
    return reading;
  }

  /** Reads the rows of such an object in slices, so that the schema has them when it reads the object. */
  async function prepare(whole: unknown): Promise<void> {
    if (!isSmall(whole, maxRows)) return;
    const rowReadings: Reading<Row>[] = [];
    await forEachInSlices(split(whole), (one) => void rowReadings.push(readRow(one)));
    preparedReadings.set(whole, rowReadings);
  }

  function readAll(whole: object): readonly Reading<Row>[] {
    const rowReadings = preparedReadings.get(whole) ?? split(whole).map(readRow);
    readings += 1;
    for (const [fingerprint, { seen }] of cachedReadings)
      if (readings - seen > MAX_MISSED_READINGS) cachedReadings.delete(fingerprint);
    return rowReadings;
  }

  const schema: z.ZodType<Row[]> = map(maxRows)
    .transform((whole): unknown => {
      const rowReadings = readAll(whole);
      const unreadable = rowReadings.flatMap((one) => [...one.unreadable, ...(one.record ? [] : [name])]);
      return { rows: rowReadings.map(({ record }) => record), unreadable: [...new Set(unreadable)] };
    })
    .pipe(z.object({ rows: z.custom<readonly (Row | null)[]>(), unreadable: z.array(reportedName) }))
    .transform(({ rows: readRows }, context) => {
      const readableRows = readRows.flatMap((one) => one ?? []);
      reportNone(name, readRows, readableRows, context);
      return readableRows;
    });
  return { schema, prepare };
}
