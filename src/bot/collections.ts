import { accountCollections } from '../accounts/repositories.ts';
import { storedChanges, storedSettings, storedStates } from '../board/stored-boards.ts';
import { deliveriesByPlace } from '../deliveries/ledger.ts';
import { unsentNotices } from '../deliveries/notices.ts';
import { features } from '../features/index.ts';
import { claimsDocuments } from '../shards/claims-document.ts';
import { clusterStates, earlierFences } from '../shards/earlier-leases.ts';
import { ends } from '../store/claims.ts';
import type { Collections } from '../store/collection.ts';

/** Everything that is stored as documents. Deletion and export of a person follow from it. */
export const collections: Collections = [
  ...accountCollections,
  deliveriesByPlace,
  unsentNotices,
  storedSettings,
  storedStates,
  storedChanges,
  ends,
  clusterStates,
  claimsDocuments,
  earlierFences,
  ...Object.values(features).flatMap((feature): Collections => feature.collections),
];
