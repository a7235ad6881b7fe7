/** Discord's answers about members, remembered so that nobody is asked about at every round. */
import type { Clock } from '../base/clock.ts';
import { DAY, HOUR } from '../base/duration.ts';
import type { GuildDriver } from '../people/guild-drivers.ts';
import type { GuildRoles } from './guild-roles.ts';

const ABSENT_FOR = 6 * HOUR;
/** Of each kind; about 100 bytes each. */
const REMEMBERED = 200_000;

export type GuildMembers = ReturnType<typeof createGuildMembers>;

export function createGuildMembers(discord: Pick<GuildRoles, 'member'>, clock: Pick<Clock, 'monotonic'>) {
  const absences = createMemory(clock);
  const present = createMemory(clock);

  return {
    /** Asks Discord, and remembers. */
    async ask(guild: string, person: string) {
      const member = await discord.member(guild, person);
      if (typeof member !== 'string') present.add(guild, person, DAY);
      return member;
    },
    /** No member a few hours ago, with the same driver as now; not to be asked about again. */
    isAbsent: (guild: string, person: string, driver: GuildDriver | undefined) =>
      absences.has(guild, keyOf(person, driver)),
    absent: (guild: string, person: string, driver: GuildDriver | undefined) =>
      absences.add(guild, keyOf(person, driver), ABSENT_FOR),
    /** Discord was asked about them within a day, by this process. */
    wasAsked: present.has,
  };
}

/** Forgets the oldest of the guild that fills it most, so that the strangers of one cost no other its members. */
function createMemory(clock: Pick<Clock, 'monotonic'>) {
  /** By guild, then by key: until when (monotonic). */
  const all = new Map<string, Map<string, number>>();
  let size = 0;

  return {
    has: (guild: string, key: string): boolean =>
      (all.get(guild)?.get(key) ?? Number.NEGATIVE_INFINITY) > clock.monotonic(),
    add(guild: string, key: string, duration: number): void {
      const own = all.get(guild) ?? new Map<string, number>();
      all.set(guild, own);
      if (!own.delete(key)) size += 1;
      own.set(key, clock.monotonic() + duration);
      if (size <= REMEMBERED) return;
      const [largest = own] = [...all.values()].toSorted((one, other) => other.size - one.size);
      const [oldest = key] = largest.keys();
      largest.delete(oldest);
      size -= 1;
    },
  };
}

function keyOf(person: string, driver: GuildDriver | undefined): string {
  return `${person} ${driver?.username ?? ''} ${driver?.proved ?? false}`;
}
