import type { z } from 'zod';
import { watch } from './watch.ts';

/** A record, or where the body cannot be read, in the names of the interface alone: never a value. */
export type Reading<Row> = (
  | { readonly record: Row; readonly problem: null }
  | { readonly record: null; readonly problem: string }
) & {
  /** Fields that are present and unreadable, and rows that had to be left out, each once. */
  readonly unreadable: readonly string[];
};

/** `refuse` is called with each unreadable field or row, and with what stands there. */
function read<Row>(
  schema: z.ZodType<Row>,
  body: unknown,
  refuse: (name: string, input: unknown) => void,
): Reading<Row> {
  const names = new Set<string>();
  const result = schema.safeParse(body, {
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
  // The first few only: the whole of a broken list's issues fills half a megabyte.
  const places = result.error.issues.slice(0, 5).map(({ path }) => path.join('.') || 'the whole');
  return { record: null, problem: `unreadable: ${places.join(', ')}`, unreadable };
}

/** Reads bodies of one kind. One that comes by again, as each does on its way up and while it is cached, is read once. */
export function createReader<Row>(schema: z.ZodType<Row>): (body: unknown) => Reading<Row> {
  const readings = new WeakMap<object, Reading<Row>>();
  return (body) => {
    if (typeof body !== 'object' || body === null) return read(schema, body, () => {});
    const reading = readings.get(body) ?? read(schema, body, () => {});
    readings.set(body, reading);
    return reading;
  };
}

/** What of a body is used: read by itself it comes to the same record. The reading is that of the whole body. */
export function usedPart<Row>(
  schema: z.ZodType<Row>,
  whole: unknown,
): { readonly body: unknown; readonly reading: Reading<Row> } {
  const { body, refuse, kept } = watch(whole);
  const reading = read(schema, body, refuse);
  return { body: reading.problem === null ? kept() : null, reading };
}
