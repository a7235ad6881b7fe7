import { sameSpelling } from '../service/models/identifiers.ts';
import { deriveFromCollection } from '../store/collection.ts';
import type { Documents } from '../store/documents.ts';
import { linkHere } from './links.ts';
import { people } from './people.ts';

export interface GuildDriver {
  readonly username: string;
  /** True if the person proved the link; a correction by an administrator proves nothing. */
  readonly proved: boolean;
  readonly isHidden: boolean;
}

/** The drivers of a guild's people, whether members of it or not. Rejects where the store fails. */
export function createGuildDrivers(documents: Documents, isHidden: (username: string) => boolean) {
  const all = deriveFromCollection(documents, people, (everyone) => everyone);
  const byDriver = deriveFromCollection(documents, people, (everyone) => {
    const owners = new Map<string, Set<string>>();
    for (const [id, { link, corrections }] of everyone)
      for (const one of [link, ...Object.values(corrections)])
        if (one?.username != null) {
          const key = sameSpelling(one.username);
          owners.set(key, (owners.get(key) ?? new Set()).add(id));
        }
    return owners;
  });
  return {
    /** Returns the guild's drivers by person. */
    async in(guild: string): Promise<ReadonlyMap<string, GuildDriver>> {
      const everyone = await all();
      const correctedDrivers = new Set(
        [...everyone.values()].flatMap(({ corrections }) => {
          const username = corrections[guild]?.username ?? null;
          return username === null ? [] : [sameSpelling(username)];
        }),
      );
      const drivers = new Map<string, GuildDriver>();
      for (const [id, person] of everyone) {
        const link = linkHere(person, guild, (folded) => correctedDrivers.has(folded));
        if (link === null) continue;
        const { username, proved } = link;
        drivers.set(id, { username, proved: proved !== null, isHidden: isHidden(username) });
      }
      return drivers;
    },
    /** Returns the people who may have that driver in some guild; none for a hidden driver. */
    async owners(username: string): Promise<readonly string[]> {
      return isHidden(username) ? [] : [...((await byDriver()).get(sameSpelling(username)) ?? [])];
    },
    /** Another object each time that somebody's driver may have changed. */
    version: (): Promise<object> => all(),
  };
}
