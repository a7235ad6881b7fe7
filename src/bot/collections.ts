import { z } from 'zod';
import { features } from '../../commands/subjects.ts';
import { accountCollections } from '../community/accounts/repositories.ts';
import { earlierChanges, storedSettings, storedStates } from '../messages/boards/stored-boards.ts';
import { deliveriesByPlace } from '../messages/outbox/ledger.ts';
import { unsentNotices } from '../messages/outbox/unsent-notices.ts';
import { type Collections, declareCollection } from '../store/collection.ts';
import { EARLIER_COLLECTIONS } from '../store/documents.ts';
import { storeOwner } from '../store/owner.ts';
import { leftGuilds } from './left-guilds.ts';

/**
 * Everything that is stored as documents. Deletion and export of a person follow from it: people see their data in this order,
 * in the file and in the lines of `/privacy`.
 */
export const collections: Collections = [
  ...accountCollections,
  deliveriesByPlace,
  unsentNotices,
  ...Object.values(features).flatMap((feature): Collections => feature.collections),
  storedSettings,
  storedStates,
  earlierChanges,
  storeOwner,
  leftGuilds,
  ...EARLIER_COLLECTIONS.map((name) =>
    declareCollection({ name, schema: z.unknown(), unreadable: 'none', person: 'nobody' }),
  ),
];

/** The feature that stores that collection; the collection itself where none does. */
export function ownerOf(collection: string): string {
  const owner = Object.entries(features).find(([, feature]) =>
    feature.collections.some(({ name }) => name === collection),
  );
  return owner?.[0] ?? collection;
}
