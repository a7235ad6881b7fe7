/** What Discord said of members, remembered so that nobody is asked about at every round. */
import type { Clock } from '../base/clock.ts';
import { DAY, HOUR } from '../base/duration.ts';
import type { GuildMember, GuildRoles, RoleFailure } from './guild-roles.ts';

export interface Members {
  /** Asks Discord, and remembers. */
  ask(guild: string, person: string): Promise<GuildMember | RoleFailure>;
  /** Who was no member a few hours ago is not asked about again, unless what is known of them (`as`) has changed. */
  isAbsent(guild: string, person: string, as: string): boolean;
  absent(guild: string, person: string, as: string): void;
  /** Whether Discord was asked about them within a day, by this process. */
  wasAsked(guild: string, person: string): boolean;
}

const ABSENT_FOR = 6 * HOUR;
/** Of each kind; about 100 bytes each. */
const REMEMBERED = 50_000;

export function createMembers(discord: Pick<GuildRoles, 'member'>, clock: Pick<Clock, 'monotonic'>): Members {
  const absences = new Map<string, number>();
  const asked = new Map<string, number>();

  /** `until`: monotonic. */
  function remember(map: Map<string, number>, key: string, until: number): void {
    map.delete(key);
    map.set(key, until);
    for (const oldest of map.keys()) {
      if (map.size <= REMEMBERED) return;
      map.delete(oldest);
    }
  }

  return {
    async ask(guild, person) {
      const member = await discord.member(guild, person);
      if (typeof member !== 'string') remember(asked, `${guild} ${person}`, clock.monotonic() + DAY);
      return member;
    },
    isAbsent: (guild, person, as) => (absences.get(`${guild} ${person} ${as}`) ?? 0) > clock.monotonic(),
    absent: (guild, person, as) =>
      remember(absences, `${guild} ${person} ${as}`, clock.monotonic() + ABSENT_FOR),
    wasAsked: (guild, person) => (asked.get(`${guild} ${person}`) ?? 0) > clock.monotonic(),
  };
}
