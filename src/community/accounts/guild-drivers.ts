import { forEachInSlices } from '../../base/for-each-yielding.ts';
import { sameSpelling } from '../../service/models/identifiers.ts';
import { deriveFromCollection } from '../../store/collection.ts';
import type { Documents } from '../../store/documents.ts';
import { linkHere } from './links.ts';
import { people } from './people.ts';

export interface GuildDriver {
  readonly username: string;
  /** True if the person proved the link; a correction by an administrator proves nothing. */
  readonly proved: boolean;
  /** As of now. */
  readonly isHidden: boolean;
}

type GuildDrivers = ReadonlyMap<string, GuildDriver>;

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
  /** The drivers of the guild that was asked about last: each of its rules asks again. */
  let last: { readonly everyone: object; readonly guild: string; readonly drivers: GuildDrivers } | null =
    null;
  return {
    /** Returns the guild's drivers by person: the same map until somebody's driver may have changed. */
    async in(guild: string): Promise<GuildDrivers> {
      const everyone = await all();
      if (last?.everyone === everyone && last.guild === guild) return last.drivers;
      const correctedDrivers = new Set<string>();
      await forEachInSlices(everyone.values(), ({ corrections }) => {
        const username = corrections[guild]?.username ?? null;
        if (username !== null) correctedDrivers.add(sameSpelling(username));
      });
      const drivers = new Map<string, GuildDriver>();
      await forEachInSlices(everyone, ([id, person]) => {
        const link = linkHere(person, guild, (folded) => correctedDrivers.has(folded));
        if (link === null) return;
        const { username, proved } = link;
        drivers.set(id, {
          username,
          proved: proved !== null,
          get isHidden() {
            return isHidden(username);
          },
        });
      });
      last = { everyone, guild, drivers };
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
