import { change } from '../store/change.ts';
import { readDocument } from '../store/collection.ts';
import type { Documents } from '../store/documents.ts';
import { changePerson, people } from './people.ts';

/** The time zones that people have chosen. One that cannot be read counts as none. */
export interface TimeZones {
  /** Null: none chosen. */
  of(personId: string): Promise<string | null>;
  set(personId: string, zone: string): Promise<void>;
}

export function createTimeZones(documents: Documents): TimeZones {
  return {
    of: async (personId) => (await readDocument(documents, people, personId))?.timeZone ?? null,
    set: (personId, timeZone) =>
      change(documents, (transaction) => changePerson(transaction, personId, () => ({ timeZone }))),
  };
}
