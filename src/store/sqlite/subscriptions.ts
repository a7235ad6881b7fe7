import { Subscription, type Subscriptions } from '../subscriptions.ts';
import type { Database } from './database.ts';

export const subscriptionsTable = `
  CREATE TABLE subscriptions (
    person TEXT NOT NULL,
    server TEXT NOT NULL,
    channel TEXT NOT NULL,
    guild TEXT,
    locale TEXT NOT NULL,
    expires INTEGER NOT NULL,
    PRIMARY KEY (person, server)
  ) STRICT;
`;

export function createSqliteSubscriptions(database: Database): Subscriptions {
  const add = database.prepare(
    `INSERT OR REPLACE INTO subscriptions (person, server, channel, guild, locale, expires)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const expire = database.prepare('DELETE FROM subscriptions WHERE expires <= ?');
  const all = database.prepare('SELECT * FROM subscriptions ORDER BY rowid');
  const own = database.prepare('SELECT * FROM subscriptions WHERE person = ? ORDER BY rowid');
  const remove = database.prepare('DELETE FROM subscriptions WHERE person = ? AND server = ?');
  const readable = (rows: readonly unknown[]): readonly Subscription[] =>
    rows.flatMap((row) => Subscription.safeParse(row).data ?? []);
  return {
    async add({ person, server, channel, guild, locale, expires }) {
      add.run(person, server, channel, guild, locale, expires);
    },
    async waiting(now) {
      expire.run(now);
      return readable(all.all());
    },
    async of(person, now) {
      expire.run(now);
      return readable(own.all(person));
    },
    async remove(person, server) {
      return remove.run(person, server) > 0;
    },
  };
}
