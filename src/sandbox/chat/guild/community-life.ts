/** People change their status: one of them about every twenty seconds. */
import { PresenceUpdateStatus as Status } from 'discord.js';
import type { Guild, Resident } from './guild.ts';

const SECONDS_A_CHANGE = 20;
/** Possible next statuses; likelier ones are repeated. */
const NEXT: Readonly<Record<string, readonly Status[]>> = {
  [Status.Online]: [Status.Idle, Status.Idle, Status.Offline, Status.DoNotDisturb],
  [Status.Idle]: [Status.Online, Status.Online, Status.Offline],
  [Status.DoNotDisturb]: [Status.Online, Status.Offline],
  [Status.Offline]: [Status.Online],
};

/** Advances time deterministically; returns those whose status changed. */
export function createCommunityLife(guild: Guild): (seconds: number) => readonly Resident[] {
  let owed = 0;
  let state = 0x9e37_79b9;
  function below(limit: number): number {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  }

  return (seconds) => {
    const changed = new Map<string, Resident>();
    for (owed += seconds; owed >= SECONDS_A_CHANGE; owed -= SECONDS_A_CHANGE) {
      const people = [...guild.residents.values()].filter(({ member }) => member.user.id !== guild.bot.id);
      const person = people[below(people.length)];
      if (person === undefined) continue;
      const following = NEXT[person.status] ?? [Status.Online];
      const next = { ...person, status: following[below(following.length)] ?? Status.Online };
      guild.residents.set(person.member.user.id, next);
      changed.set(person.member.user.id, next);
    }
    return [...changed.values()];
  };
}
