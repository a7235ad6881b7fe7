import { z } from 'zod';
import { Username } from '../../service/models/identifiers.ts';
import type { CustomId } from '../kit/custom-id.ts';

/**
 * Two names in one custom id: one behind the other, and where the second begins, since no character is left that could
 * not stand in a name.
 */
export function writePair(a: string, b: string): Pick<CustomId, 'number' | 'subject'> {
  return { number: a.length, subject: a + b };
}

/** Of a press, the two names. */
export const Pair = z
  .object({ number: z.int(), subject: z.string() })
  .transform(({ number, subject }) => ({ a: subject.slice(0, number), b: subject.slice(number) }))
  .pipe(z.object({ a: Username, b: Username }));
