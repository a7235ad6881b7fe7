import { z } from 'zod';

/**
 * A user's name in the game: printable characters, spaces inside included. 64 UTF-16 units at most, since it has to fit
 * into the id of a button, which Discord measures in those.
 */
export const Username = z
  .string()
  .trim()
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u)
  // zod counts an emoji as one.
  .refine((name) => name.length <= 64);

/** A vehicle identifier (VIN): five letters or digits; either case is accepted, upper case is what we keep. */
export const Vin = z
  .string()
  .trim()
  .regex(/^[a-z0-9]{5}$/i)
  .toUpperCase();

/** The same for every spelling of one username: the service does not tell case apart. */
export function sameSpelling(username: string): string {
  return username.normalize('NFC').toLowerCase();
}
