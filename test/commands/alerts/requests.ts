import { createWatchRequests } from '../../../commands/alerts/models/watch-requests.ts';
import { createWatches } from '../../../commands/alerts/models/watches.ts';
import type { Features } from '../../../src/command-kit/features.ts';
import type { RequestParts } from '../../support/people.ts';

export function createRequests({ documents, hidden }: RequestParts): Features['alerts'] {
  return createWatchRequests({
    watches: createWatches(documents),
    unwatched: hidden.unwatched,
    access: () => ({ kind: 'open' }),
    outages: async () => [],
  });
}
