import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { Link, Links } from './links.ts';
import type { Subscription, Subscriptions } from './subscriptions.ts';

/** Everything in the store that is kept under a person's account. */
export interface Stored {
  readonly link: Link | null;
  readonly subscriptions: readonly Subscription[];
  /** The live boards that this person made, which stay when the person is forgotten. */
  readonly boards: readonly { readonly guild: string; readonly channel: string; readonly since: number }[];
}

export interface UserData {
  stored(personId: string, now: number): Promise<Stored>;
  /** When it resolves, no byte of the person's id is left in the file, beside it, or in a copy. */
  forget(personId: string): Promise<void>;
}

const Board = z.object({ guild: z.string(), channel: z.string(), since: z.number() });

export function createUserData(
  database: DatabaseSync,
  {
    links,
    subscriptions,
    forgetInCopies,
  }: {
    readonly links: Links;
    readonly subscriptions: Subscriptions;
    readonly forgetInCopies: (personId: string) => Promise<void>;
  },
): UserData {
  return {
    async stored(personId, now) {
      return {
        link: await links.of(personId),
        subscriptions: await subscriptions.of(personId, now),
        boards: boardsOf(database, personId),
      };
    },
    async forget(personId) {
      // A copy that is being made reads the file; nothing begins between the two.
      await forgetInCopies(personId);
      forgetIn(database, personId);
    },
  };
}

function boardsOf(database: DatabaseSync, personId: string): Stored['boards'] {
  if (!hasTable(database, 'board')) return [];
  const rows = database
    .prepare(
      `SELECT settings ->> 'guildId' AS guild, settings ->> 'channelId' AS channel, settings ->> 'madeAt' AS since
       FROM board WHERE settings ->> 'madeBy' = ? ORDER BY rowid`,
    )
    .all(personId);
  return rows.flatMap((row) => Board.safeParse(row).data ?? []);
}

/** What takes a person out of each table that names people. A copy may be older than some of them. */
const forgetting: Readonly<Record<string, string>> = {
  links: 'DELETE FROM links WHERE person = ?',
  subscriptions: 'DELETE FROM subscriptions WHERE person = ?',
  board: `UPDATE board SET settings = json_set(settings, '$.madeBy', '') WHERE settings ->> 'madeBy' = ?`,
};

/**
 * Deleting leaves traces: what a row once was stays in the gaps of its page when rows move between pages, which
 * `secure_delete` does not reach, and in the log of writes. So every table that names people is written anew, which
 * with `secure_delete` zeroes all the pages that it had; they are small. Then the log is emptied.
 */
export function forgetIn(database: DatabaseSync, personId: string): void {
  database.exec('PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY; BEGIN IMMEDIATE');
  try {
    for (const [table, statement] of Object.entries(forgetting)) {
      if (!hasTable(database, table)) continue;
      database.prepare(statement).run(personId);
      database.exec(`
        CREATE TEMP TABLE kept AS SELECT * FROM main.${table} ORDER BY rowid;
        DELETE FROM main.${table};
        INSERT INTO main.${table} SELECT * FROM kept ORDER BY rowid;
        DROP TABLE kept;`);
    }
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
  const busy = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'];
  if (busy !== 0) throw new Error('the log of writes is in use and could not be emptied');
}

function hasTable(database: DatabaseSync, name: string): boolean {
  return (
    database.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(name) !== undefined
  );
}
