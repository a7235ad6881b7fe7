import { z } from 'zod';
import { zoneNamed } from '../base/zone.ts';
import { change } from '../store/change.ts';
import { readDocument } from '../store/collection.ts';
import type { Documents } from '../store/documents.ts';
import { changePerson, people } from './people.ts';

/** An IANA time zone that this machine knows, such as `Europe/Berlin`. */
export const TimeZone = z.string().refine((name) => zoneNamed(name) !== null);

/** The time zones that people have chosen. One that cannot be read counts as none. */
export interface TimeZones {
  /** Null: none chosen. */
  of(personId: string): Promise<string | null>;
  set(personId: string, zone: string): Promise<void>;
}

export function createTimeZones(documents: Documents): TimeZones {
  return {
    async of(personId) {
      const zone = (await readDocument(documents, people, personId))?.timeZone ?? null;
      return TimeZone.safeParse(zone).data ?? null;
    },
    set: (personId, timeZone) =>
      change(documents, (transaction) => changePerson(transaction, personId, () => ({ timeZone }))),
  };
}
