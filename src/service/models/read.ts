import type { z } from 'zod';

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
