import { z } from 'zod';
import { Link, type Links } from '../../people/links.ts';
import { sameSpelling } from '../../service/models/identifiers.ts';
import { createSqliteCorrections } from './corrections.ts';
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

export const hiddenColumn = `
  -- 1: the person wants this driver in no list and no history.
  ALTER TABLE links ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0;
`;

const Row = z
  .object({ username: z.string(), since: z.number(), declared_by: z.string() })
  .transform(({ username, since, declared_by }) => ({ username, since, by: declared_by }))
  .pipe(Link);

const LinkedRow = z
  .object({ username: z.string(), hidden: z.number() })
  .transform(({ username, hidden }) => ({ username, hidden: hidden !== 0 }));

const PersonRow = z.object({ person: z.string() });

export function createSqliteLinks(database: Database): Links {
  const own = database.prepare('SELECT username, since, declared_by FROM links WHERE person = ?');
  // One statement, so that nothing changes between check and write. REPLACE removes both the person's old link and
  // anyone an administrator had linked to the driver.
  const claim = database.prepare(
    `INSERT OR REPLACE INTO links (person, username, folded, since, declared_by, hidden)
     SELECT ?1, ?2, ?3,
       min(?4, coalesce((SELECT since FROM links WHERE person = ?1 AND folded = ?3), ?4)),
       ?5,
       coalesce((SELECT hidden FROM links WHERE person = ?1 AND folded = ?3), 0)
     WHERE NOT EXISTS (SELECT 1 FROM links WHERE folded = ?3 AND person <> ?1 AND declared_by = 'self')`,
  );
  const remove = database.prepare('DELETE FROM links WHERE person = ?');
  const hide = database.prepare('UPDATE links SET hidden = ?2 WHERE person = ?1');
  const linked = database.prepare('SELECT username, hidden FROM links ORDER BY folded');
  const claimant = database.prepare('SELECT person FROM links WHERE folded = ?');
  const ownOf = (personId: string): Link | null => Row.safeParse(own.get(personId)).data ?? null;
  const corrected = createSqliteCorrections(database, {
    ownOf,
    claimantOf: (folded) => PersonRow.safeParse(claimant.get(folded)).data?.person ?? null,
  });

  return {
    of: async (personId, guildId = null) =>
      guildId === null ? ownOf(personId) : corrected.linkIn(guildId, personId),
    async set(personId, link) {
      const { username, since, by } = Link.parse(link);
      return claim.run(personId, username, sameSpelling(username), since, by) > 0 ? 'linked' : 'taken';
    },
    async remove(personId) {
      return remove.run(personId) > 0;
    },
    async hide(personId, hidden) {
      return hide.run(personId, hidden ? 1 : 0) > 0;
    },
    async linked() {
      return linked.all().flatMap((row) => LinkedRow.safeParse(row).data ?? []);
    },
    correct: corrected.correct,
    corrections: corrected.of,
  };
}
