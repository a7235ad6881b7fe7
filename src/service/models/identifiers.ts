import { z } from 'zod';

/**
 * A driver's login name: printable characters, inner spaces included. At most 64 UTF-16 units, the unit in which
 * Discord limits a button's id, which has to hold it.
 */
export const Username = z
  .string()
  .trim()
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u)
  // zod's own `max` counts an emoji as one.
  .refine((name) => name.length <= 64);

/** A vehicle identifier (VIN): five letters or digits, normalised to upper case. */
export const Vin = z
  .string()
  .trim()
  .regex(/^[a-z0-9]{5}$/i)
  .toUpperCase();

/** The same for every spelling of a username: the service ignores case. */
export function sameSpelling(username: string): string {
  return username.normalize('NFC').toLowerCase();
}
