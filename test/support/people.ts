import { DatabaseSync } from 'node:sqlite';
import type { Context } from '../../src/app/command.ts';
import { createGuildSettings, guildSettingsTable } from '../../src/store/guild-settings.ts';
import { createLinks, linksTable } from '../../src/store/links.ts';
import { createSubscriptions, subscriptionsTable } from '../../src/store/subscriptions.ts';
import { createUserData } from '../../src/store/user-data.ts';

/** What a command may know of people and guilds: nothing yet, and all that is written is in memory. */
export function peopleInMemory(): Pick<
  Context,
  'links' | 'guildSettings' | 'subscriptions' | 'userData' | 'boards'
> {
  const database = new DatabaseSync(':memory:');
  database.exec(linksTable + guildSettingsTable + subscriptionsTable);
  const links = createLinks(database);
  const subscriptions = createSubscriptions(database);
  return {
    links,
    guildSettings: createGuildSettings(database),
    subscriptions,
    boards: noBoards,
    userData: createUserData(database, { links, subscriptions, forgetInCopies: async () => {} }),
  };
}

/** A guild where there are none and chat takes none. */
const noBoards: Context['boards'] = {
  create: async () => ({ kind: 'unavailable' }),
  remove: async () => false,
  list: async () => [],
  move: async () => null,
  test: async () => ({ kind: 'unavailable' }),
};
