import type { Context } from '../../src/app/context.ts';
import { createWatchRequests } from '../../src/notify/watch/requests.ts';
import { openDatabase } from '../../src/store/sqlite/database.ts';
import { createSqliteGuildSettings } from '../../src/store/sqlite/guild-settings.ts';
import { createSqliteLinks } from '../../src/store/sqlite/links.ts';
import { migrations } from '../../src/store/sqlite/schema.ts';
import { createSqliteSubscriptions } from '../../src/store/sqlite/subscriptions.ts';
import { createSqliteTimeZones } from '../../src/store/sqlite/time-zones.ts';
import { createSqliteUserData } from '../../src/store/sqlite/user-data.ts';
import { createSqliteWatches } from '../../src/store/sqlite/watches.ts';

/** A command's data about people and guilds: initially empty, stored in memory. */
export function peopleInMemory(): Pick<Context, 'store' | 'boards' | 'watches'> {
  const database = openDatabase(':memory:', { durable: false });
  database.exec(migrations.join(''));
  const links = createSqliteLinks(database);
  const subscriptions = createSqliteSubscriptions(database);
  const timeZones = createSqliteTimeZones(database);
  const watches = createSqliteWatches(database);
  return {
    store: {
      links,
      settings: createSqliteGuildSettings(database),
      subscriptions,
      timeZones,
      userData: createSqliteUserData(database, {
        links,
        subscriptions,
        watches,
        timeZones,
        copies: { forget: async () => {} },
        unreached: () => {},
      }),
    },
    boards: noBoards,
    watches: createWatchRequests({
      watches,
      hidden: async () => new Set(),
      access: () => ({ kind: 'open' }),
    }),
  };
}

/** A guild without boards, where none can be made. */
const noBoards: Context['boards'] = {
  create: async () => ({ kind: 'unavailable' }),
  remove: async () => null,
  list: async () => [],
  edit: async () => null,
  move: async () => null,
  test: async () => ({ kind: 'unavailable' }),
  uncolour: async () => {},
  speak: async () => {},
};
