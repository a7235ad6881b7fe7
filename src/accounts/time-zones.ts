import { changeDocuments } from '../store/change.ts';
import { readDocument } from '../store/collection.ts';
import type { Documents } from '../store/documents.ts';
import { changePerson, people } from './people.ts';

/** The time zones that people have chosen. One that cannot be read counts as none. */
export function createTimeZones(documents: Documents) {
  const followers: ((personId: string, timeZone: string) => Promise<void>)[] = [];
  return {
    /** Null: none chosen. */
    of: async (personId: string): Promise<string | null> =>
      (await readDocument(documents, people, personId))?.timeZone ?? null,
    /** Resolves once those who keep the zone of a person have the new one, too. */
    async set(personId: string, timeZone: string): Promise<void> {
      await changeDocuments(documents, (transaction) =>
        changePerson(transaction, personId, () => ({ timeZone })),
      );
      for (const follow of followers) await follow(personId, timeZone);
    },
    /** Adds a function that is called with each choice of a zone. */
    onSet: (follow: (personId: string, timeZone: string) => Promise<void>): void =>
      void followers.push(follow),
  };
}
