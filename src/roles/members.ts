/** What Discord said of members, remembered so that nobody is asked about at every round. */
import type { Clock } from '../base/clock.ts';
import { DAY, HOUR } from '../base/duration.ts';
import type { GuildDriver } from '../people/guild-drivers.ts';
import type { GuildMember, GuildRoles, RoleFailure } from './guild-roles.ts';

export interface Members {
  /** Asks Discord, and remembers. */
  ask(guild: string, person: string): Promise<GuildMember | RoleFailure>;
  /** Who was no member a few hours ago is not asked about again, unless what is known of their driver has changed. */
  isAbsent(guild: string, person: string, driver: GuildDriver | undefined): boolean;
  absent(guild: string, person: string, driver: GuildDriver | undefined): void;
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
    isAbsent: (...whose) => (absences.get(keyOf(...whose)) ?? 0) > clock.monotonic(),
    absent: (...whose) => remember(absences, keyOf(...whose), clock.monotonic() + ABSENT_FOR),
    wasAsked: (guild, person) => (asked.get(`${guild} ${person}`) ?? 0) > clock.monotonic(),
  };
}

function keyOf(guild: string, person: string, driver: GuildDriver | undefined): string {
  return `${guild} ${person} ${driver?.username ?? ''} ${driver?.proved ?? false}`;
}
