import { createCommunityPosts } from '../../../commands/recap/jobs/post.ts';
import { createMonthChoices } from '../../../commands/recap/models/month-choices.ts';
import { createRecapRepository } from '../../../commands/recap/models/stored.ts';
import type { Features } from '../../../src/command-kit/features.ts';
import { noHistory } from '../../support/no-history.ts';
import type { RequestParts } from '../../support/people.ts';
import { NOON } from '../../support/records.ts';
import { createTranslators } from '../../support/translators.ts';

/** Recaps of a guild whose channels are open; nothing is sent anywhere. */
export function createRequests(parts: RequestParts): Features['recap'] {
  return {
    months: createMonthChoices(parts),
    posts: createCommunityPosts({
      ...{
        repository: createRecapRepository(parts.documents),
        history: noHistory.history,
        notices: { tell: async () => {}, settle: async () => {} },
      },
      settingsOf: async () => ({ language: null, timeZone: null, colours: true }),
      outbox: { send: async () => 'sent' },
      access: () => ({ kind: 'open' }),
      holds: () => true,
      translatorFor: createTranslators(),
      nicknameOf: () => null,
      isHidden: () => false,
      draw: async () => null,
      clock: { now: () => NOON, monotonic: () => 0 },
      runs: { start: () => {} },
    }),
  };
}
