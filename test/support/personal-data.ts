import { storedData } from '../../src/accounts/own-data.ts';
import { collections } from '../../src/bot/collections.ts';
import type { Documents } from '../../src/store/documents.ts';
import { forgetPerson } from '../../src/store/forget.ts';
import { documentsInMemory } from './documents-in-memory.ts';

/** Documents in memory, with what they store of a person. */
export function personalData() {
  const documents: Documents = documentsInMemory();
  return {
    documents,
    /** The file of `/privacy`. */
    fileOf: async (personId: string) => (await storedData(personId, documents, collections)).file,
    forget: (personId: string) => forgetPerson(documents, collections, personId),
  };
}
