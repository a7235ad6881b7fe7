import { z } from 'zod';

/** JSON text that holds what the schema says: for what comes back from the ledger or the store. */
export function json<Value>(schema: z.ZodType<Value>): z.ZodType<Value, string> {
  const parsed = z.string().transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'is not JSON' });
      return z.NEVER;
    }
  });
  return parsed.pipe(schema);
}
