/** Gives and takes the role of one rule, so that a kill at any point is made good by the next round. */

import type { GuildRoles } from '../../discord/send/guild-roles.ts';
import type { GuildMembers } from './guild-members.ts';
import { isUnsafe } from './guild-roles.ts';
import type { Holder, Holders, RoleRules } from './role-rules.ts';
import type { Rule, RulePause } from './rule.ts';

interface RoleStep {
  readonly person: string;
  readonly to: 'give' | 'take';
}

/**
 * A step is stored before it is done, and its result after it. Nobody is given a role that they have, and nobody loses
 * one that the bot did not give.
 */
export function createChangeRoles(parts: {
  readonly rules: RoleRules;
  readonly members: GuildMembers;
  readonly discord: GuildRoles;
  /** A role's permissions as the gateway has reported them; null: they are not known. Makes no request. */
  readonly permissionsOf: (guild: string, role: string) => string | null;
  /** This process keeps that guild's rules, for long enough to send a request. */
  readonly holds: (guild: string) => boolean;
  /** The reason in Discord's audit log. */
  readonly why: (rule: Rule) => string;
}) {
  const { rules, members, discord, permissionsOf, holds, why } = parts;
  return async (guild: string, rule: Rule, holders: Holders, steps: readonly RoleStep[]) => {
    const { role } = rule;
    const ready: (RoleStep & { readonly joined: string })[] = [];
    /** People who are no members. */
    const absent: string[] = [];
    const knownHolders: Record<string, Holder | null> = {};
    /** The reason why it could not go on; null: it is done. */
    let stopped: RulePause | 'lost' | null = null;

    for (const { person, to } of steps) {
      const member = await members.ask(guild, person);
      if (member === 'no-member') {
        absent.push(person);
        knownHolders[person] = null;
        continue;
      }
      if (typeof member === 'string') {
        stopped = 'lost';
        break;
      }
      const { joined } = member;
      const holder = holders[person];
      const has = member.roles.includes(role);
      // In another stay the bot gave it to nobody.
      const isTheirs = holder?.joined !== joined && has;
      if (isTheirs) knownHolders[person] = { state: 'theirs', joined };
      else if (has !== (to === 'give')) ready.push({ person, to, joined });
      else if (to === 'take') knownHolders[person] = null;
      else knownHolders[person] = { state: holder?.state === 'giving' ? 'held' : 'theirs', joined };
    }

    const intended = ready.map(
      ({ person, to, joined }) => [person, { state: to === 'give' ? 'giving' : 'taking', joined }] as const,
    );
    await rules.setHolders(guild, role, { ...knownHolders, ...Object.fromEntries(intended) });
    const changedHolders: Record<string, Holder | null> = {};
    for (const { person, to, joined } of ready) {
      // A batch takes a minute where Discord limits it, and the role may have been given rights since it began.
      const isSafe = to === 'take' || !isUnsafe(permissionsOf(guild, role) ?? '0');
      const refusal = !holds(guild) ? 'lost' : isSafe ? null : 'unsafe';
      const outcome = refusal ?? (await discord[to](guild, person, role, why(rule)));
      if (outcome === 'done') changedHolders[person] = to === 'give' ? { state: 'held', joined } : null;
      else if (outcome === 'no-member') changedHolders[person] = null;
      else {
        stopped = outcome;
        // A lost change may have been made; otherwise nothing was. None of the others is tried.
        for (const each of outcome === 'lost' ? [] : ready)
          if (!Object.hasOwn(changedHolders, each.person))
            changedHolders[each.person] = holders[each.person] ?? null;
        break;
      }
    }
    if (Object.keys(changedHolders).length > 0) await rules.setHolders(guild, role, changedHolders);
    return { stopped, absent };
  };
}
