import { sameSpelling } from '../service/models/identifiers.ts';
import { derived } from '../store/collection.ts';
import type { Documents } from '../store/documents.ts';
import { people } from './people.ts';

interface GuildDriver {
  readonly username: string;
  /** A correction by an administrator never is. */
  readonly proved: boolean;
  readonly isHidden: boolean;
}

/** Who has which driver in a guild, whether they are members of it or not. Rejects where the store fails. */
interface GuildDrivers {
  /** By person. */
  in(guild: string): Promise<ReadonlyMap<string, GuildDriver>>;
  /** Another object each time that somebody's driver may have changed. */
  version(): Promise<object>;
}

export function createGuildDrivers(
  documents: Documents,
  isHidden: (username: string) => boolean,
): GuildDrivers {
  const all = derived(documents, people, (everyone) => everyone);
  return {
    async in(guild) {
      const everyone = await all();
      const corrected = [...everyone].flatMap(([id, { corrections }]) => {
        const correction = corrections[guild] ?? null;
        return correction === null ? [] : [[id, correction.username] as const];
      });
      const byAdministrator = new Map(corrected);
      const taken = new Set(corrected.flatMap(([, name]) => (name === null ? [] : sameSpelling(name))));
      const drivers = new Map<string, GuildDriver>();
      for (const [id, { link }] of everyone) {
        const correction = byAdministrator.get(id);
        const own = link === null || taken.has(sameSpelling(link.username)) ? null : link;
        const username = correction === undefined ? (own?.username ?? null) : correction;
        if (username === null) continue;
        const proved = correction === undefined && false;
        drivers.set(id, { username, proved, isHidden: isHidden(username) });
      }
      return drivers;
    },
    version: all,
  };
}
