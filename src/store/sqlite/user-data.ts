import { basename } from 'node:path';
import { z } from 'zod';
import type { Watches } from '../../alerts/watches.ts';
import type { Links } from '../../people/links.ts';
import type { TimeZones } from '../../people/time-zones.ts';
import { type Stored, storedDecisions, type UserData } from '../../people/user-data.ts';
import type { Subscriptions } from '../subscriptions.ts';
import type { createDailyCopy } from './daily-copy.ts';
import type { Database } from './database.ts';
import { forgetIn, hasTable } from './forget.ts';

const Board = z.object({ guild: z.string(), channel: z.string(), since: z.number() });

export function createSqliteUserData(
  database: Database,
  {
    links,
    subscriptions,
    watches,
    timeZones,
    copies,
    unreached,
  }: {
    readonly links: Links;
    readonly subscriptions: Subscriptions;
    readonly watches: Watches;
    readonly timeZones: TimeZones;
    readonly copies: Pick<ReturnType<typeof createDailyCopy>, 'forget'>;
    /** Called for a copy that could not be changed. */
    readonly unreached: (path: string, error: unknown) => void;
  },
): UserData {
  return {
    async stored(personId, now) {
      return {
        ...(await storedDecisions(personId, now, { links, subscriptions, watches, timeZones })),
        boards: boardsOf(database, personId),
      };
    },
    async forget(personId) {
      // A copy in progress reads the file, and no new one can start in between.
      const left: string[] = [];
      await copies.forget(personId, (path, error) => {
        left.push(basename(path));
        unreached(path, error);
      });
      forgetIn(database, personId);
      // No process may act on watches that are gone; this marks them as changed.
      await watches.forbid(personId, null);
      return left;
    },
  };
}

function boardsOf(database: Database, personId: string): Stored['boards'] {
  if (!hasTable(database, 'board')) return [];
  const rows = database
    .prepare(
      `SELECT settings ->> 'guildId' AS guild, settings ->> 'channelId' AS channel, settings ->> 'madeAt' AS since
       FROM board WHERE settings ->> 'madeBy' = ? ORDER BY rowid`,
    )
    .all(personId);
  return rows.flatMap((row) => Board.safeParse(row).data ?? []);
}
