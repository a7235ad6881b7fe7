import type { CustomId } from '../kit/custom-id.ts';

/**
 * Two names in one custom id: concatenated, with the position where the second begins, since any character may
 * occur in a name.
 */
export function writePair(a: string, b: string): Pick<CustomId, 'number' | 'subject'> {
  return { number: a.length, subject: a + b };
}

export function readPair({ number, subject }: { readonly number: number; readonly subject: string }) {
  return { a: subject.slice(0, number), b: subject.slice(number) };
}
