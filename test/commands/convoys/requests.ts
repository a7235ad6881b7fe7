import type { Audience } from '../../../commands/convoys/jobs/convoy-events.ts';
import { createConvoyRepository } from '../../../commands/convoys/models/convoy-repository.ts';
import { createConvoyRequests } from '../../../commands/convoys/models/convoy-requests.ts';
import type { Features } from '../../../src/command-kit/features.ts';
import type { RequestParts } from '../../support/people.ts';

/** `audience`: the members who may view each channel. */
export function createRequests(
  { documents }: Pick<RequestParts, 'documents'>,
  audience: Audience = 'everyone',
): Features['convoys'] {
  return createConvoyRequests({
    stored: createConvoyRepository(documents),
    cards: { took: () => {} },
    boards: { changed: () => {}, syncMessage: async () => true },
    access: () => ({ kind: 'open' }),
    rightsOf: async () => ({ may: () => true, isPlanner: false, mayIn: () => true }),
    mayView: () => true,
    audienceOf: () => audience,
    driversIn: async () => new Map(),
    mayMakeEvents: () => true,
    ping: async () => {},
    changed: () => {},
    random: () => 0.5,
  });
}
