import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';

/** Somebody wants to be told of something about a game server, once. */
export const Subscription = z.object({
  /** Whom to tell. */
  person: z.string(),
  /** The game server's name. */
  server: z.string(),
  /** Where to tell it. */
  channel: z.string(),
  /** Null in a direct message. */
  guild: z.string().nullable(),
  /** In which language (BCP 47): nobody asks at the time when it is told. */
  locale: z.string(),
  /** Unix milliseconds from which on nobody expects it any more. */
  expires: z.number(),
});
export type Subscription = z.output<typeof Subscription>;

/** One for each person and server. */
export interface Subscriptions {
  /** Replaces the person's earlier one for that server. */
  add(subscription: Subscription): Promise<void>;
  /** Those that wait at `now`, oldest first; what has expired is deleted. */
  waiting(now: number): Promise<readonly Subscription[]>;
  of(person: string, now: number): Promise<readonly Subscription[]>;
  /** False: there was none. Whoever gets true is the one to tell the person. */
  remove(person: string, server: string): Promise<boolean>;
}

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

/** One that cannot be read is passed over; it expires like the others. */
export function createSubscriptions(database: DatabaseSync): Subscriptions {
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
      return remove.run(person, server).changes > 0;
    },
  };
}
