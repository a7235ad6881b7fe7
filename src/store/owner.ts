/** The application that the store belongs to: the bots of others are in none of its servers, and would take those for left ones. */
import { z } from 'zod';
import { DAY } from '../base/duration.ts';
import { StartError } from '../base/errors.ts';
import { changeDocuments } from './change.ts';
import { declareCollection, readDocument } from './collection.ts';
import type { Documents } from './documents.ts';

/** With the times at which it has cleaned a server within a day (unix milliseconds). */
export const storeOwner = declareCollection({
  name: 'application',
  schema: z.object({ id: z.string(), cleanedAt: z.array(z.number()) }),
  unreadable: 'reject',
  person: 'nobody',
});
const OWNER_KEY = 'owner';

/** The application of a start. `takesStore`: the operator hands the store of another one over to it. */
export interface OwnApplication {
  readonly id: string;
  readonly takesStore: boolean;
}

/** Returns why the application may not use a store of that owner, and what to do; null if it may. */
export function strangerTrouble(
  { id, takesStore }: OwnApplication,
  owner: { readonly id: string } | null,
): string | null {
  if (owner === null || owner.id === id || takesStore) return null;
  return `DISCORD_TOKEN belongs to the application ${id}, and the store to the application ${owner.id}; use a token of ${owner.id} or another STORE_URL, or set STORE_APPLICATION=${id} to hand the store over for good`;
}

/** Rejects with a {@link StartError} if the store belongs to another application. */
export async function refuseStranger(documents: Documents, application: OwnApplication): Promise<void> {
  const trouble = strangerTrouble(application, await readDocument(documents, storeOwner, OWNER_KEY));
  if (trouble !== null) throw new StartError(trouble);
}

/** Resolves with whether the store belongs to the application. `isProved`: it may take a store that names no application. */
export const ownsStore = (
  documents: Documents,
  { id, takesStore }: OwnApplication,
  isProved: boolean,
): Promise<boolean> =>
  changeDocuments(documents, async (transaction) => {
    const owner = await transaction.read(storeOwner, OWNER_KEY);
    if (owner?.id === id) return true;
    const isTaken = owner === null ? isProved : takesStore;
    if (isTaken) transaction.write(storeOwner, OWNER_KEY, { id, cleanedAt: owner?.cleanedAt ?? [] });
    return isTaken;
  });

/** Notes that the application cleans a server now (unix milliseconds). False: it may not, or has cleaned `most` within a day. */
export const claimCleaning = (
  documents: Documents,
  id: string,
  most: number,
  now: number,
): Promise<boolean> =>
  changeDocuments(documents, async (transaction) => {
    const owner = await transaction.read(storeOwner, OWNER_KEY);
    const recentTimes = owner?.cleanedAt.filter((at) => Math.abs(now - at) < DAY) ?? [];
    if (owner?.id !== id || recentTimes.length >= most) return false;
    transaction.write(storeOwner, OWNER_KEY, { id, cleanedAt: [...recentTimes, now] });
    return true;
  });
