import { createWatchRequests } from '../../src/alerts/requests.ts';
import type { Context } from '../../src/app/context.ts';
import { createForgetDriver, type Forgettable } from '../../src/history/forget-driver.ts';
import { createHiddenDrivers } from '../../src/people/hidden-drivers.ts';
import { createOwnData } from '../../src/people/own-data.ts';
import { openDatabase } from '../../src/store/sqlite/database.ts';
import { createSqliteGuildSettings } from '../../src/store/sqlite/guild-settings.ts';
import { createSqliteLinks } from '../../src/store/sqlite/links.ts';
import { migrations } from '../../src/store/sqlite/schema.ts';
import { createSqliteSubscriptions } from '../../src/store/sqlite/subscriptions.ts';
import { createSqliteTimeZones } from '../../src/store/sqlite/time-zones.ts';
import { createSqliteUserData } from '../../src/store/sqlite/user-data.ts';
import { createSqliteWatches } from '../../src/store/sqlite/watches.ts';

/** A history in which nothing has happened. */
const noChunks: Forgettable = {
  read: async () => [],
  readKind: async () => [],
  write: async () => {},
  scrub: async () => [],
};

/** A command's data about people and guilds: initially empty, stored in memory. */
export function peopleInMemory({
  history = noChunks,
  shown = [],
}: {
  readonly history?: Forgettable;
  /** Drivers whom the operator does not let anybody hide. */
  readonly shown?: readonly string[];
} = {}): Pick<Context, 'store' | 'boards' | 'watches'> {
  const database = openDatabase(':memory:', { durable: false });
  database.exec(migrations.join(''));
  const links = createSqliteLinks(database);
  const subscriptions = createSqliteSubscriptions(database);
  const timeZones = createSqliteTimeZones(database);
  const watches = createSqliteWatches(database);
  const userData = createSqliteUserData(database, {
    ...{ links, subscriptions, watches, timeZones },
    copies: { forget: async () => {} },
    unreached: () => {},
  });
  return {
    store: {
      links,
      settings: createSqliteGuildSettings(database),
      subscriptions,
      timeZones,
      userData: createOwnData({
        links,
        userData,
        hidden: createHiddenDrivers(links, { hidden: [], shown }),
        names: { forgetNickname: async () => {} },
        forgetDriver: createForgetDriver({
          chunks: history,
          copies: () => [],
          unreached: () => {},
          deleted: () => {},
        }),
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
  hideColours: async () => {},
  setLocale: async () => {},
};
