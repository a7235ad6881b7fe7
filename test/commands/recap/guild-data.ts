import { createRecapRepository } from '../../../commands/recap/models/stored.ts';
import type { Documents } from '../../../src/store/documents.ts';
import type { GuildData } from '../../support/guild-data.ts';

export function createGuildData(documents: Documents): GuildData {
  const recaps = createRecapRepository(documents);
  return {
    belongings: recaps,
    make: ({ guild, channel, id: madeBy, at: since }) =>
      recaps.choose(guild, { channel, isWeekly: true, isMonthly: true, madeBy, locale: 'en-GB', since }),
    count: async (guild) => ((await recaps.postsIn(guild)) === null ? 0 : 1),
  };
}
