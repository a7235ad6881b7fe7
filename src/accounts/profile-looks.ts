import { z } from 'zod';
import { changeDocuments } from '../store/change.ts';
import { declareCollection, personalExport, readDocument } from '../store/collection.ts';
import type { Documents } from '../store/documents.ts';

const ProfileLook = z.object({ asPicture: z.boolean() });

/** How `/profile` answers a person, by the id of their account; as text where there is none. */
export const profileLooks = declareCollection({
  name: 'profile-looks',
  schema: ProfileLook,
  unreadable: 'none',
  person: {
    forget: (look, personId, key) => (key === personId ? null : look),
    export: [
      personalExport({
        name: 'profileAsPicture',
        order: 5,
        read: async (documents, personId): Promise<true | null> =>
          (await createProfileLooks(documents).isPicture(personId)) || null,
        lines: (_isPicture, t) => [t('privacy.profileAsPicture')],
        question: (t) => t('forget.choices'),
      }),
    ],
  },
});

/** Whether people want `/profile` as a picture. */
export function createProfileLooks(documents: Documents) {
  return {
    isPicture: async (personId: string): Promise<boolean> =>
      (await readDocument(documents, profileLooks, personId))?.asPicture ?? false,
    set: (personId: string, asPicture: boolean): Promise<void> =>
      changeDocuments(documents, async (transaction) =>
        transaction.write(profileLooks, personId, asPicture ? { asPicture } : null),
      ),
  };
}
