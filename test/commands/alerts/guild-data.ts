import { newWatchState } from '../../../commands/alerts/models/observe.ts';
import { createWatches } from '../../../commands/alerts/models/watches.ts';
import type { Documents } from '../../../src/store/documents.ts';
import type { GuildData } from '../../support/guild-data.ts';
import { channelWatch } from './support/watches.ts';

export function createGuildData(documents: Documents): GuildData {
  const watches = createWatches(documents);
  return {
    belongings: watches,
    make({ guild, channel, id, at }) {
      const place = { kind: 'channel', guild, channel, role: null } as const;
      const watch = channelWatch(id, { place, since: at, person: id });
      return watches.add({ watch, state: newWatchState });
    },
    count: async (guild) => (await watches.in(guild)).length,
  };
}
