import type { Context } from '../../src/app/context.ts';
import { openDatabase } from '../../src/store/sqlite/database.ts';
import { createSqliteGuildSettings } from '../../src/store/sqlite/guild-settings.ts';
import { createSqliteLinks } from '../../src/store/sqlite/links.ts';
import { migrations } from '../../src/store/sqlite/schema.ts';
import { createSqliteSubscriptions } from '../../src/store/sqlite/subscriptions.ts';
import { createSqliteTimeZones } from '../../src/store/sqlite/time-zones.ts';
import { createSqliteUserData } from '../../src/store/sqlite/user-data.ts';

/** A command's data about people and guilds: initially empty, stored in memory. */
export function peopleInMemory(): Pick<Context, 'store' | 'boards'> {
  const database = openDatabase(':memory:', { durable: false });
  database.exec(migrations.join(''));
  const links = createSqliteLinks(database);
  const subscriptions = createSqliteSubscriptions(database);
  const timeZones = createSqliteTimeZones(database);
  return {
    store: {
      links,
      settings: createSqliteGuildSettings(database),
      subscriptions,
      timeZones,
      userData: createSqliteUserData(database, {
        links,
        subscriptions,
        timeZones,
        copies: { forget: async () => {} },
        unreached: () => {},
      }),
    },
    boards: noBoards,
  };
}

/** A guild without boards, where none can be made. */
const noBoards: Context['boards'] = {
  create: async () => ({ kind: 'unavailable' }),
  remove: async () => false,
  list: async () => [],
  move: async () => null,
  test: async () => ({ kind: 'unavailable' }),
  speak: async () => {},
};
