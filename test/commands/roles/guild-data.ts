import { createRoleRules } from '../../../commands/roles/models/role-rules.ts';
import type { Documents } from '../../../src/store/documents.ts';
import type { GuildData } from '../../support/guild-data.ts';

export function createGuildData(documents: Documents): GuildData {
  const rules = createRoleRules(documents);
  return {
    belongings: rules,
    async make({ guild, id, at }) {
      const role = `5${id}`;
      const rule = { role, when: { kind: 'proved' }, keep: false, linked: false, madeBy: '' } as const;
      await rules.put(guild, { ...rule, locale: 'en-GB', since: at, paused: null, ending: false });
      await rules.setHolders(guild, role, { [id]: { state: 'held', joined: '' } });
    },
    count: async (guild) => (await rules.of(guild)).length,
  };
}
