import { Username } from '../../service/models/identifiers.ts';
import { type CustomId, fitsCustomId } from '../kit/custom-id.ts';

/**
 * Two names in one custom id: one behind the other, and in the action where the second begins (`refresh-5`), since
 * no character is left that could not stand in a name. Null where they do not fit.
 */
export function writePair(
  what: 'show' | 'refresh',
  a: string,
  b: string,
): Pick<CustomId, 'action' | 'subject'> | null {
  const id = { command: 'compare', action: `${what}-${a.length}`, subject: a + b };
  return fitsCustomId(id) ? { action: id.action, subject: id.subject } : null;
}

/** Null for what no card wrote. */
export function readPair(
  action: string,
  subject: string,
): { readonly a: string; readonly b: string; readonly refresh: boolean } | null {
  const match = /^(?<what>show|refresh)-(?<length>\d{1,3})$/.exec(action)?.groups;
  const length = Number(match?.['length']);
  const [a, b] = [Username.safeParse(subject.slice(0, length)), Username.safeParse(subject.slice(length))];
  if (match === undefined || !a.success || !b.success) return null;
  return { a: a.data, b: b.data, refresh: match['what'] === 'refresh' };
}
