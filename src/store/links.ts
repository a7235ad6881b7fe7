import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { sameSpelling } from '../service/models/identifiers.ts';

/** Which driver somebody at the chat says to be. */
export const Link = z.object({
  /** As the data service spelled it when the link was made. */
  username: z.string(),
  /** Unix milliseconds. */
  since: z.number(),
  /** On whose word: the person's own, which nobody checked, or an administrator's. */
  by: z.enum(['self', 'administrator']),
});
export type Link = z.output<typeof Link>;

/**
 * One to one: an account at the chat has one driver, and a driver has one account. The case of a username does not
 * tell two drivers apart.
 */
export interface Links {
  of(personId: string): Promise<Link | null>;
  /** Replaces the person's own link. On the person's own word a driver that another account has stays with that one. */
  set(personId: string, link: Link): Promise<'linked' | 'taken'>;
  /** False: there was none. */
  remove(personId: string): Promise<boolean>;
}

export const linksTable = `
  CREATE TABLE links (
    person TEXT PRIMARY KEY,
    username TEXT NOT NULL,
    -- The username without its case.
    folded TEXT NOT NULL UNIQUE,
    since INTEGER NOT NULL,
    declared_by TEXT NOT NULL
  ) STRICT;
`;

const Row = z
  .object({ username: z.string(), since: z.number(), declared_by: Link.shape.by })
  .transform(({ username, since, declared_by }): Link => ({ username, since, by: declared_by }));

/** A link that cannot be read counts as none: its person can make it anew. */
export function createLinks(database: DatabaseSync): Links {
  const read = database.prepare('SELECT username, since, declared_by FROM links WHERE person = ?');
  // REPLACE removes both what the person had and whoever had the driver.
  const write = database.prepare(
    'INSERT OR REPLACE INTO links (person, username, folded, since, declared_by) VALUES (?, ?, ?, ?, ?)',
  );
  // One statement, so that no other process can come between the look and the deed.
  const claim = database.prepare(
    `INSERT OR REPLACE INTO links (person, username, folded, since, declared_by)
     SELECT ?1, ?2, ?3, ?4, ?5 WHERE NOT EXISTS (SELECT 1 FROM links WHERE folded = ?3 AND person <> ?1)`,
  );
  const remove = database.prepare('DELETE FROM links WHERE person = ?');
  return {
    async of(personId) {
      return Row.safeParse(read.get(personId)).data ?? null;
    },
    async set(personId, { username, since, by }) {
      const statement = by === 'self' ? claim : write;
      const { changes } = statement.run(personId, username, sameSpelling(username), since, by);
      return changes > 0 ? 'linked' : 'taken';
    },
    async remove(personId) {
      return remove.run(personId).changes > 0;
    },
  };
}
