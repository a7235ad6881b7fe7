import { z } from 'zod';
import { Correction, type Link, type Links } from '../../people/links.ts';
import { sameSpelling } from '../../service/models/identifiers.ts';
import type { Database } from './database.ts';

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

const PersonRow = z.object({ person: z.string() });

/** Who is which driver in one guild: what an administrator has said there, else the people's own links. */
interface Corrections {
  linkIn(guildId: string, personId: string): Link | null;
  readonly correct: Links['correct'];
  readonly of: Links['corrections'];
}

interface OwnLinks {
  ownOf(personId: string): Link | null;
  /** Who has linked the driver, by the username without its case. */
  claimantOf(folded: string): string | null;
}

export function createSqliteCorrections(database: Database, { ownOf, claimantOf }: OwnLinks): Corrections {
  const said = database.prepare(
    'SELECT guild, username, since FROM corrections WHERE guild = ? AND person = ?',
  );
  const holder = database.prepare('SELECT person FROM corrections WHERE guild = ? AND folded = ?');
  const ofPerson = database.prepare(
    'SELECT guild, username, since FROM corrections WHERE person = ? ORDER BY guild',
  );
  const correct = database.prepare(
    'INSERT OR REPLACE INTO corrections (guild, person, username, folded, since) VALUES (?, ?, ?, ?, ?)',
  );

  const holderOf = (guild: string, folded: string): string | null =>
    PersonRow.safeParse(holder.get(guild, folded)).data?.person ?? null;

  function linkIn(guildId: string, personId: string): Link | null {
    const correction = Correction.safeParse(said.get(guildId, personId)).data;
    if (correction !== undefined) {
      const { username, since } = correction;
      return username === null ? null : { username, since, by: 'administrator' };
    }
    const link = ownOf(personId);
    return link === null || holder.get(guildId, sameSpelling(link.username)) !== undefined ? null : link;
  }

  return {
    linkIn,
    correct: async (personId, correction) =>
      database.transaction(() => {
        const { guild, username, since } = Correction.parse(correction);
        const folded = username === null ? null : sameSpelling(username);
        const others = folded === null ? [] : [holderOf(guild, folded), claimantOf(folded)];
        const affected = new Set([personId, ...others.filter((person) => person !== null)]);
        const driverOf = (person: string) => linkIn(guild, person)?.username ?? null;
        const before = new Map([...affected].map((person) => [person, driverOf(person)]));
        // REPLACE removes anyone else corrected to that driver here.
        correct.run(guild, personId, username, folded, since);
        return [...affected].filter((person) => driverOf(person) !== before.get(person));
      }),
    of: async (personId) => ofPerson.all(personId).flatMap((row) => Correction.safeParse(row).data ?? []),
  };
}
