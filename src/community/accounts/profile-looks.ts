import { z } from 'zod';
import { changeDocuments } from '../../store/change.ts';
import { declareCollection, personalExport, readDocument } from '../../store/collection.ts';
import type { Documents } from '../../store/documents.ts';

const ProfileLook = z.object({ asPicture: z.boolean() });

/** How `/profile` answers a person, by the id of their account. */
export const profileLooks = declareCollection({
  name: 'profile-looks',
  schema: ProfileLook,
  unreadable: 'none',
  person: {
    forget: (look, personId, key) => (key === personId ? null : look),
    export: [
      personalExport({
        name: 'profileAsPicture',
        read: readChoice,
        lines: (asPicture, t) => [t(asPicture ? 'privacy.profileAsPicture' : 'privacy.profileAsText')],
        question: (t) => t('forget.choices'),
      }),
    ],
  },
});

/** Null: the person has made no choice. */
async function readChoice(documents: Documents, personId: string): Promise<boolean | null> {
  return (await readDocument(documents, profileLooks, personId))?.asPicture ?? null;
}

/** The looks that people have chosen for `/profile`. */
export function createProfileLooks(documents: Documents) {
  return {
    /** Null: the person has made no choice. */
    isPicture: (personId: string): Promise<boolean | null> => readChoice(documents, personId),
    set: (personId: string, asPicture: boolean): Promise<void> =>
      changeDocuments(documents, async (transaction) =>
        transaction.write(profileLooks, personId, { asPicture }),
      ),
  };
}
