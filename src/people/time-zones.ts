import { z } from 'zod';

/** An IANA time zone that this machine knows, such as `Europe/Berlin`. */
export const TimeZone = z
  .string()
  .max(64)
  .refine((zone) => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
    } catch {
      return false;
    }
  });

/** The time zones that people have chosen. One that cannot be read counts as none. */
export interface TimeZones {
  /** Null: none chosen. */
  of(personId: string): Promise<string | null>;
  set(personId: string, zone: string): Promise<void>;
}
