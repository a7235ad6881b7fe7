import { changeDocuments } from '../../store/change.ts';
import { readDocument } from '../../store/collection.ts';
import type { Documents } from '../../store/documents.ts';
import { changePerson, people } from './people.ts';

/** The time zones that people have chosen. One that cannot be read counts as none. */
export function createTimeZones(documents: Documents) {
  return {
    /** Null: none chosen. */
    of: async (personId: string): Promise<string | null> =>
      (await readDocument(documents, people, personId))?.timeZone ?? null,
    set: (personId: string, timeZone: string): Promise<void> =>
      changeDocuments(documents, (transaction) => changePerson(transaction, personId, () => ({ timeZone }))),
  };
}
