import { z } from 'zod';

/** A user's name in the game: 1 to 64 printable characters, spaces inside included. */
export const Username = z
  .string()
  .trim()
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,64}$/u);

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
