import { z } from 'zod';
import { zoneNamed } from '../base/zone.ts';

/** An IANA time zone that this machine knows, such as `Europe/Berlin`. */
export const TimeZone = z.string().refine((name) => zoneNamed(name) !== null);

/** The time zones that people have chosen. One that cannot be read counts as none. */
export interface TimeZones {
  /** Null: none chosen. */
  of(personId: string): Promise<string | null>;
  set(personId: string, zone: string): Promise<void>;
}
