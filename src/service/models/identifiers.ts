import { z } from 'zod';
import { toPlainText } from '../../text/plain.ts';

/**
 * Printable characters, inner spaces included. At most 64 UTF-16 units, the unit in which Discord limits a button's id,
 * which has to hold a login name.
 */
const Printable = z
  .string()
  .trim()
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u)
  // zod's own `max` counts an emoji as one.
  .refine((name) => name.length <= 64);

/** A driver's login name. */
export const Username = Printable;
/** Name of a licence, as the service writes it. */
export const LicenceType = Printable;

/** A vehicle identifier (VIN): five letters or digits, normalised to upper case. */
export const Vin = z
  .string()
  .trim()
  .regex(/^[a-z0-9]{5}$/i)
  .toUpperCase();

/** Returns one form for every spelling of a username: the service ignores case. */
export function sameSpelling(username: string): string {
  return username.normalize('NFC').toLowerCase();
}

/** UTF-16 units that count: a login name has 64, and some letters become eighteen. */
const MAX_NAME_LENGTH = 128;
/** Most names: nothing in them has a second spelling but for case. */
const SIMPLE_NAME = /^[\w.-]+(?: [\w.-]+)*$/;

/**
 * Returns one form for all spellings that people take for one name: without case, colour codes, letters that show nothing,
 * compatibility forms and repeated spaces. Looser than the service, for which they may be several drivers, so it serves to
 * hide and to compare names, never to ask for one.
 */
export function foldName(name: string): string {
  const start = name.slice(0, MAX_NAME_LENGTH);
  if (SIMPLE_NAME.test(start)) return start.toLowerCase();
  return toPlainText(start)
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()
    .normalize('NFC');
}
