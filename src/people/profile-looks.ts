import { z } from 'zod';
import { change } from '../store/change.ts';
import { collection, readDocument } from '../store/collection.ts';
import type { Documents } from '../store/documents.ts';

const ProfileLook = z.object({ asPicture: z.boolean() });

/** How `/profile` answers a person, by the id of their account; as text where there is none. */
export const profileLooks = collection({
  name: 'profile-looks',
  schema: ProfileLook,
  unreadable: 'none',
  person: { forget: (look, personId, key) => (key === personId ? null : look) },
});

export type ProfileLooks = ReturnType<typeof createProfileLooks>;

/** Whether people want `/profile` as a picture. */
export function createProfileLooks(documents: Documents) {
  return {
    isPicture: async (personId: string): Promise<boolean> =>
      (await readDocument(documents, profileLooks, personId))?.asPicture ?? false,
    set: (personId: string, asPicture: boolean): Promise<void> =>
      change(documents, async (transaction) =>
        transaction.write(profileLooks, personId, asPicture ? { asPicture } : null),
      ),
  };
}
