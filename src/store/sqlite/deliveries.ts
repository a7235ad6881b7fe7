import { z } from 'zod';
import { type Deliveries, type Delivery, KEPT_DELIVERIES, mayClaim } from '../../alerts/watches.ts';
import { DAY } from '../../base/duration.ts';
import { json } from '../../base/json.ts';
import type { Database } from './database.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS deliveries (
    place TEXT NOT NULL,
    key TEXT NOT NULL,
    watches TEXT NOT NULL,
    at INTEGER NOT NULL,
    -- 0 while nobody knows whether it was sent.
    settled INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (place, key)
  ) STRICT;
`;

const Row = z.object({
  place: z.string(),
  key: z.string(),
  watches: json(z.array(z.string())),
  at: z.number(),
});

export function createSqliteDeliveries(database: Database): Deliveries {
  database.exec(SCHEMA);
  const since = database.prepare('SELECT * FROM deliveries WHERE place = ? AND at > ? ORDER BY at');
  const one = database.prepare('SELECT 1 FROM deliveries WHERE place = ? AND key = ?');
  const prune = database.prepare('DELETE FROM deliveries WHERE at <= ?');
  const insert = database.prepare('INSERT INTO deliveries (place, key, watches, at) VALUES (?, ?, ?, ?)');
  const settle = database.prepare('UPDATE deliveries SET settled = 1 WHERE place = ? AND key = ?');
  const unsettled = database.prepare('SELECT * FROM deliveries WHERE settled = 0 AND at < ? ORDER BY at');
  const giveUp = database.prepare('UPDATE deliveries SET settled = 1 WHERE settled = 0 AND at < ?');
  const readable = (rows: readonly unknown[]): readonly Delivery[] =>
    rows.flatMap((row) => Row.safeParse(row).data ?? []);

  return {
    claim: async (claim) =>
      database.transaction(() => {
        const { place, key, at } = claim;
        prune.run(at - KEPT_DELIVERIES);
        if (one.get(place, key) !== undefined) return [];
        const may = mayClaim(claim, readable(since.all(place, at - DAY)));
        if (may.length > 0) insert.run(place, key, JSON.stringify(may), at);
        return may;
      }),
    async settle(place, key) {
      settle.run(place, key);
    },
    since: async (place, from) => readable(since.all(place, from)),
    giveUp: async (before) =>
      database.transaction(() => {
        const rows = readable(unsettled.all(before));
        giveUp.run(before);
        return rows;
      }),
  };
}
