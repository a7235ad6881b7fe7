import { collections } from '../../src/bot/collections.ts';
import { storedData } from '../../src/community/accounts/own-data.ts';
import type { Documents } from '../../src/store/documents.ts';
import { forgetPerson } from '../../src/store/forget.ts';
import { documentsInMemory } from './documents-in-memory.ts';
import { createTranslators } from './translators.ts';

const t = createTranslators()('en-GB');

/** All that these documents store of a person. Rejects where an export fails. */
export function readStored(personId: string, documents: Documents) {
  const failed = (collection: string, error: unknown): never => {
    throw new Error(`the export of ${collection} fails`, { cause: error });
  };
  return storedData(personId, t, { documents, collections, failed });
}

/** Documents in memory, with what they store of a person. */
export function personalData() {
  const documents: Documents = documentsInMemory();
  return {
    documents,
    /** The file of `/privacy`. */
    fileOf: async (personId: string) => (await readStored(personId, documents)).file,
    forget: (personId: string) => forgetPerson(documents, collections, personId),
  };
}
