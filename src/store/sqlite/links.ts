import { z } from 'zod';
import { sameSpelling } from '../../service/models/identifiers.ts';
import { Link, type Links } from '../links.ts';
import type { Database } from './database.ts';

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
  .object({ username: z.string(), since: z.number(), declared_by: z.string() })
  .transform(({ username, since, declared_by }) => ({ username, since, by: declared_by }))
  .pipe(Link);

export function createSqliteLinks(database: Database): Links {
  const read = database.prepare('SELECT username, since, declared_by FROM links WHERE person = ?');
  // REPLACE removes both what the person had and whoever had the driver.
  const write = database.prepare(
    'INSERT OR REPLACE INTO links (person, username, folded, since, declared_by) VALUES (?, ?, ?, ?, ?)',
  );
  // One statement, so that nothing can change between the check and the write.
  const claim = database.prepare(
    `INSERT OR REPLACE INTO links (person, username, folded, since, declared_by)
     SELECT ?1, ?2, ?3, ?4, ?5 WHERE NOT EXISTS (SELECT 1 FROM links WHERE folded = ?3 AND person <> ?1)`,
  );
  const remove = database.prepare('DELETE FROM links WHERE person = ?');
  return {
    async of(personId) {
      return Row.safeParse(read.get(personId)).data ?? null;
    },
    async set(personId, link) {
      const { username, since, by } = Link.parse(link);
      const statement = by === 'self' ? claim : write;
      return statement.run(personId, username, sameSpelling(username), since, by) > 0 ? 'linked' : 'taken';
    },
    async remove(personId) {
      return remove.run(personId) > 0;
    },
  };
}
