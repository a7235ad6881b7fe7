import { z } from 'zod';
import { TimeZone, type TimeZones } from '../../people/time-zones.ts';
import type { Database } from './database.ts';

export const timeZonesTable = `
  CREATE TABLE time_zones (
    person TEXT PRIMARY KEY,
    zone TEXT NOT NULL
  ) STRICT;
`;

const Row = z.object({ zone: TimeZone });

export function createSqliteTimeZones(database: Database): TimeZones {
  const read = database.prepare('SELECT zone FROM time_zones WHERE person = ?');
  const write = database.prepare('INSERT OR REPLACE INTO time_zones (person, zone) VALUES (?, ?)');
  return {
    of: async (personId) => Row.safeParse(read.get(personId)).data?.zone ?? null,
    async set(personId, zone) {
      write.run(personId, zone);
    },
  };
}
