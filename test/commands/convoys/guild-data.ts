import { createConvoyRepository } from '../../../commands/convoys/models/convoy-repository.ts';
import { HOUR } from '../../../src/base/duration.ts';
import type { Documents } from '../../../src/store/documents.ts';
import type { GuildData } from '../../support/guild-data.ts';

export function createGuildData(documents: Documents): GuildData {
  const convoys = createConvoyRepository(documents);
  return {
    belongings: convoys,
    async make({ guild, channel, id, at }) {
      const draft = {
        ...{ id: `1792780000${id}`, guild, channel, madeAt: at, at: at + HOUR, when: 'in an hour' },
        ...{ title: 'Run', server: 'two', zone: 'UTC', hours: 1, places: null, weekly: true, role: null },
      };
      await convoys.putDraft(id, draft);
      await convoys.announce(id, draft, { locale: 'en-GB', colours: true }, at);
      const result = { there: [{ person: id }], hidden: 0, peak: 1, known: true, holes: [], usual: null };
      await convoys.finish(guild, draft.id, result, at + 2 * HOUR, `1792780001${id}`);
    },
    count: async (guild) => (await convoys.in(guild)).length + (await convoys.past(guild)).length,
  };
}
