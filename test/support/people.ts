import type { Context } from '../../src/app/context.ts';
import { openDatabase } from '../../src/store/sqlite/database.ts';
import { createSqliteGuildSettings, guildSettingsTable } from '../../src/store/sqlite/guild-settings.ts';
import { correctionsTable, createSqliteLinks, linksTable } from '../../src/store/sqlite/links.ts';
import { createSqliteSubscriptions, subscriptionsTable } from '../../src/store/sqlite/subscriptions.ts';
import { createSqliteUserData } from '../../src/store/sqlite/user-data.ts';

/** What a command may know of people and guilds: nothing yet, and all that is written is in memory. */
export function peopleInMemory(): Pick<Context, 'store' | 'boards'> {
  const database = openDatabase(':memory:', { durable: false });
  database.exec(linksTable + correctionsTable + guildSettingsTable + subscriptionsTable);
  const links = createSqliteLinks(database);
  const subscriptions = createSqliteSubscriptions(database);
  return {
    store: {
      links,
      settings: createSqliteGuildSettings(database),
      subscriptions,
      userData: createSqliteUserData(database, {
        links,
        subscriptions,
        copies: { forget: async () => {} },
        unreached: () => {},
      }),
    },
    boards: noBoards,
  };
}

/** A guild where there are none and chat takes none. */
const noBoards: Context['boards'] = {
  create: async () => ({ kind: 'unavailable' }),
  remove: async () => false,
  list: async () => [],
  move: async () => null,
  test: async () => ({ kind: 'unavailable' }),
  speak: async () => {},
};
