import { z } from 'zod';
import { sameSpelling } from '../../service/models/identifiers.ts';
import { Correction, Link, type Links } from '../links.ts';
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

export const correctionsTable = `
  CREATE TABLE corrections (
    guild TEXT NOT NULL,
    person TEXT NOT NULL,
    -- Both null: this member has no driver here.
    username TEXT,
    folded TEXT,
    since INTEGER NOT NULL,
    PRIMARY KEY (guild, person),
    UNIQUE (guild, folded)
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
     SELECT ?1, ?2, ?3, ?4, ?5,
       coalesce((SELECT hidden FROM links WHERE person = ?1 AND folded = ?3), 0)
     WHERE NOT EXISTS (SELECT 1 FROM links WHERE folded = ?3 AND person <> ?1 AND declared_by = 'self')`,
  );
  const remove = database.prepare('DELETE FROM links WHERE person = ?');
  const hide = database.prepare('UPDATE links SET hidden = ?2 WHERE person = ?1');
  const linked = database.prepare('SELECT username, hidden FROM links ORDER BY folded');
  const claimant = database.prepare('SELECT person FROM links WHERE folded = ?');
  const corrected = database.prepare(
    'SELECT guild, username, since FROM corrections WHERE guild = ? AND person = ?',
  );
  const holder = database.prepare('SELECT person FROM corrections WHERE guild = ? AND folded = ?');
  const ofPerson = database.prepare(
    'SELECT guild, username, since FROM corrections WHERE person = ? ORDER BY guild',
  );
  const correct = database.prepare(
    'INSERT OR REPLACE INTO corrections (guild, person, username, folded, since) VALUES (?, ?, ?, ?, ?)',
  );

  const personIn = (row: unknown): string | null => PersonRow.safeParse(row).data?.person ?? null;

  function linkOf(personId: string, guildId: string | null): Link | null {
    const link = Row.safeParse(own.get(personId)).data ?? null;
    if (guildId === null) return link;
    const said = Correction.safeParse(corrected.get(guildId, personId)).data;
    if (said !== undefined)
      return said.username === null
        ? null
        : { username: said.username, since: said.since, by: 'administrator' };
    if (link === null || holder.get(guildId, sameSpelling(link.username)) !== undefined) return null;
    return link;
  }

  return {
    of: async (personId, guildId = null) => linkOf(personId, guildId),
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
    correct: async (personId, correction) =>
      database.transaction(() => {
        const { guild, username, since } = Correction.parse(correction);
        const folded = username === null ? null : sameSpelling(username);
        const others =
          folded === null ? [] : [personIn(holder.get(guild, folded)), personIn(claimant.get(folded))];
        const affected = new Set([personId, ...others.filter((person) => person !== null)]);
        const driverOf = (person: string) => linkOf(person, guild)?.username ?? null;
        const before = new Map([...affected].map((person) => [person, driverOf(person)]));
        // REPLACE removes anyone else corrected to that driver here.
        correct.run(guild, personId, username, folded, since);
        return [...affected].filter((person) => driverOf(person) !== before.get(person));
      }),
    async corrections(personId) {
      return ofPerson.all(personId).flatMap((row) => Correction.safeParse(row).data ?? []);
    },
  };
}
