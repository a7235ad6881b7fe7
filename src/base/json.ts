import { z } from 'zod';

/** JSON text that matches the schema: for values read back from the ledger or the store. */
export function jsonText<Value>(schema: z.ZodType<Value>): z.ZodType<Value, string> {
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
