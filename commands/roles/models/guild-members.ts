/** Discord's answers about members, remembered so that nobody is asked about at every round. */

import { readIsoTime } from '../../../src/base/calendar.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/base/duration.ts';
import type { GuildDriver } from '../../../src/community/accounts/guild-drivers.ts';
import type { GuildRoles } from '../../../src/discord/send/guild-roles.ts';

/** How long a person counts as no member, in ms; a provisional member until the next look at everything. */
const ABSENCE_MS = { stranger: 6 * HOUR, provisional: 10 * MINUTE };
/** Maximum entries of each kind, about 100 bytes each. */
const MAX_REMEMBERED = 200_000;

export type GuildMembers = ReturnType<typeof createGuildMembers>;

export function createGuildMembers(discord: Pick<GuildRoles, 'member'>, clock: Pick<Clock, 'monotonic'>) {
  /** With the driver they had then. */
  const absences = createMemory(clock);
  const provisional = createMemory(clock);
  /** With when they joined, as Discord wrote it. */
  const memberMemory = createMemory(clock);

  return {
    /** Asks Discord, and remembers. A provisional member is no member yet. */
    async ask(guild: string, person: string) {
      const member = await discord.member(guild, person);
      if (member === 'provisional') {
        provisional.add(guild, person, { value: '', durationMs: ABSENCE_MS.provisional });
        return 'no-member';
      }
      if (typeof member !== 'string')
        memberMemory.add(guild, person, { value: member.joined, durationMs: DAY });
      return member;
    },
    /** No member a few hours ago, with the same driver as now; not to be asked about again. */
    isAbsent: (guild: string, person: string, driver: GuildDriver | undefined) =>
      absences.get(guild, person) === textOf(driver),
    absent(guild: string, person: string, driver: GuildDriver | undefined): void {
      const durationMs = ABSENCE_MS[provisional.get(guild, person) === null ? 'stranger' : 'provisional'];
      absences.add(guild, person, { value: textOf(driver), durationMs });
    },
    /** Discord was asked about them within a day, by this process. */
    wasAsked: (guild: string, person: string) => memberMemory.get(guild, person) !== null,
    /**
     * Takes note of a member whom Discord has shown without being asked. True if that contradicts what was remembered, which
     * is forgotten: they were no member, or have left and come back. `joined`: as Discord writes it.
     */
    observe(guild: string, person: string, joined: string): boolean {
      const rememberedMember = memberMemory.get(guild, person);
      const hasRejoined = rememberedMember !== null && !isSameMoment(rememberedMember, joined);
      if (hasRejoined) memberMemory.remove(guild, person);
      return absences.remove(guild, person) || hasRejoined;
    },
  };
}

/** Discord does not write every time with the same precision. */
function isSameMoment(one: string, other: string): boolean {
  const [first, second] = [readIsoTime(one), readIsoTime(other)];
  return first === null || second === null || Math.abs(first - second) < SECOND;
}

/** Forgets the oldest of the guild that fills it most, so that the strangers of one cost no other its members. */
function createMemory(clock: Pick<Clock, 'monotonic'>) {
  /** By guild, then by person; until when is monotonic. */
  const all = new Map<string, Map<string, { readonly value: string; readonly until: number }>>();
  let size = 0;

  function remove(guild: string, person: string): boolean {
    const isRemoved = all.get(guild)?.delete(person) ?? false;
    if (isRemoved) size -= 1;
    return isRemoved;
  }

  return {
    /** Null: nothing is remembered. */
    get(guild: string, person: string): string | null {
      const entry = all.get(guild)?.get(person);
      return entry !== undefined && entry.until > clock.monotonic() ? entry.value : null;
    },
    /** False: nothing was remembered. */
    remove,
    add(
      guild: string,
      person: string,
      { value, durationMs }: { readonly value: string; readonly durationMs: number },
    ): void {
      const guildEntries =
        all.get(guild) ?? new Map<string, { readonly value: string; readonly until: number }>();
      all.set(guild, guildEntries);
      remove(guild, person);
      size += 1;
      guildEntries.set(person, { value, until: clock.monotonic() + durationMs });
      if (size <= MAX_REMEMBERED) return;
      const [largest = guildEntries] = [...all.values()].toSorted((one, other) => other.size - one.size);
      const [oldest = person] = largest.keys();
      largest.delete(oldest);
      size -= 1;
    },
  };
}

function textOf(driver: GuildDriver | undefined): string {
  return `${driver?.username ?? ''} ${driver?.proved ?? false}`;
}
