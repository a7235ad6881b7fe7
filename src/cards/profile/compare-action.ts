import type { CustomId } from '../kit/custom-id.ts';

/**
 * Two names in one custom id: one behind the other, and where the second begins, since no character is left that could
 * not stand in a name.
 */
export function writePair(a: string, b: string): Pick<CustomId, 'number' | 'subject'> {
  return { number: a.length, subject: a + b };
}

export function readPair({ number, subject }: { readonly number: number; readonly subject: string }) {
  return { a: subject.slice(0, number), b: subject.slice(number) };
}
