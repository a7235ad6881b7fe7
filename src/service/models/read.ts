import type { z } from 'zod';
import { recordReads } from './record-reads.ts';

/** A record; or where the body is unreadable, by the service's field names only: never a value. */
export type Reading<Row> = (
  | { readonly record: Row; readonly problem: null }
  | { readonly record: null; readonly problem: string }
) & {
  /** Fields that are present but unreadable, and rows left out, each once. */
  readonly unreadable: readonly string[];
};

/** `refuse` is called with the name and the value of each unreadable field or row. */
function read<Row>(
  schema: z.ZodType<Row>,
  body: unknown,
  refuse: (name: string, input: unknown) => void,
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
  const places = result.error.issues.slice(0, 5).map(({ path }) => path.join('.') || 'the whole');
  return { record: null, problem: `unreadable: ${places.join(', ')}`, unreadable };
}

/** Reads bodies of one kind. The same body object, as when it is cached, is parsed only once. */
export function createReader<Row>(schema: z.ZodType<Row>): (body: unknown) => Reading<Row> {
  const readings = new WeakMap<object, Reading<Row>>();
  return (body) => {
    if (typeof body !== 'object' || body === null) return read(schema, body, () => {});
    const reading = readings.get(body) ?? read(schema, body, () => {});
    readings.set(body, reading);
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
