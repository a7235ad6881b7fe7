/** The rules as commands ask for them. */

import type { GuildMember, GuildRoles, Standing } from '../../../src/discord/send/guild-roles.ts';
import type { createRoleRounds } from '../jobs/role-rounds.ts';
import type { createEvaluation } from './evaluate.ts';
import type { GuildMembers } from './guild-members.ts';
import { isBelow, problemOfPermissions, roleProblem } from './guild-roles.ts';
import type { Holder, RoleRules } from './role-rules.ts';
import type { ListedRule, NewRule, PreviewedRule, Rule } from './rule.ts';

/** `not-allowed`: whoever asks does not manage the guild's roles, whatever a channel lets them do. */
type RightsProblem = 'not-allowed' | 'lost';

/** Members that a preview asks Discord about, of all its rules. */
const MAX_ASKED_MEMBERS = 25;

/** Rejects where the store fails. */
export type RoleRequests = ReturnType<typeof createRoleRequests>;

export function createRoleRequests(parts: {
  readonly rules: RoleRules;
  readonly evaluate: ReturnType<typeof createEvaluation>;
  readonly members: GuildMembers;
  readonly discord: GuildRoles;
  readonly rounds: Pick<ReturnType<typeof createRoleRounds>, 'lastRun'>;
  /** The bot has Manage Roles in that guild; makes no request. */
  readonly mayManageRoles: (guild: string) => boolean;
  /** The rules have changed: the next round is to be soon. */
  readonly changed: () => void;
}) {
  const { rules, evaluate, members, discord, rounds, mayManageRoles, changed } = parts;

  /** A person who manages the guild's roles. */
  async function managerOf(guild: string, by: string): Promise<Standing | RightsProblem> {
    const person = await discord.standing(guild, by);
    if (typeof person === 'string') return 'lost';
    return person.may('ManageRoles') ? person : 'not-allowed';
  }

  /** The reason not to make the rule; null: it may be made. */
  async function problemOf({
    guild,
    role,
    madeBy,
  }: NewRule): Promise<ReturnType<typeof roleProblem> | 'rights' | RightsProblem> {
    const manager = await managerOf(guild, madeBy);
    if (typeof manager === 'string') return manager;
    if (!mayManageRoles(guild)) return 'rights';
    const bot = await discord.member(guild, '@me');
    if (typeof bot === 'string') return 'lost';
    const managerRoles = manager.isOwner ? null : manager.roles;
    return roleProblem(role, { guild, roles: manager.all, bot: bot.roles, person: managerRoles });
  }

  /** `known`: those whom this press has asked about, {@link MAX_ASKED_MEMBERS} in all; null: no member. */
  async function previewOf(
    guild: string,
    rule: Rule,
    known: Map<string, GuildMember | null>,
  ): Promise<PreviewedRule | 'lost'> {
    const { give, unknown, holders, drivers } = await evaluate(guild, rule);
    const possibleMembers = [...give, ...unknown].filter(
      (person) => !Object.hasOwn(holders, person) && !members.isAbsent(guild, person, drivers.get(person)),
    );
    const met: Record<string, Holder> = {};
    for (const person of possibleMembers) {
      if (!known.has(person)) {
        if (known.size >= MAX_ASKED_MEMBERS) continue;
        const answer = await members.ask(guild, person);
        if (answer === 'lost' || answer === 'rights') return 'lost';
        if (typeof answer === 'string') members.absent(guild, person, drivers.get(person));
        known.set(person, typeof answer === 'string' ? null : answer);
      }
      const member = known.get(person) ?? null;
      if (member !== null)
        met[person] = {
          state: member.roles.includes(rule.role) ? 'theirs' : 'member',
          joined: member.joined,
        };
    }
    const plan = await evaluate(guild, rule, met);
    const isMember = (person: string) => Object.hasOwn(met, person) || Object.hasOwn(holders, person);
    return {
      ...rule,
      gains: plan.give.filter(isMember),
      loses: [...plan.unearned, ...plan.unlinked],
      has: [...plan.has, ...plan.theirs],
      unknown: plan.unknown.filter(isMember).length,
      perhaps: possibleMembers.filter((person) => !known.has(person)).length,
    };
  }

  return {
    /** Null for a person who manages the guild's roles. */
    async refusalOf(guild: string, by: string): Promise<RightsProblem | null> {
      const manager = await managerOf(guild, by);
      return typeof manager === 'string' ? manager : null;
    },
    /** Replaces the rule of that role. */
    async add(asked: NewRule, now: number) {
      const problem = await problemOf(asked);
      if (problem !== null) return problem;
      const { guild } = asked;
      const added = await rules.put(guild, ruleOf(asked, now));
      if (added === 'added') changed();
      return added;
    },
    /** The effect of that rule, or of all of the guild's; nothing is changed by it. */
    async preview(
      guild: string,
      by: string,
      asked: NewRule | null,
    ): Promise<readonly PreviewedRule[] | RightsProblem> {
      const manager = await managerOf(guild, by);
      if (typeof manager === 'string') return manager;
      const previewedRules = asked === null ? await rules.of(guild) : [ruleOf(asked, 0)];
      const previews: PreviewedRule[] = [];
      const knownMembers = new Map<string, GuildMember | null>();
      for (const rule of previewedRules) {
        const preview = await previewOf(guild, rule, knownMembers);
        if (preview === 'lost') return 'lost';
        previews.push(preview);
      }
      return previews;
    },
    async list(guild: string, by: string) {
      const manager = await managerOf(guild, by);
      if (typeof manager === 'string') return manager;
      const listed: ListedRule[] = [];
      for (const rule of await rules.of(guild)) {
        const { holders, unknown, has, theirs, giving, give } = await evaluate(guild, rule);
        const isMember = (person: string) => Object.hasOwn(holders, person);
        const having = Object.values(holders).filter(({ state }) => state === 'held' || state === 'taking');
        const unclear = unknown.filter(isMember);
        const qualify = [...has, ...giving, ...give.filter(isMember), ...theirs];
        // Nothing may have been due since the role has changed.
        const paused =
          problemOfPermissions(manager.all.find(({ id }) => id === rule.role)?.permissions) ?? rule.paused;
        listed.push({ ...rule, paused, holders: having.length, qualify, theirs, unknown: unclear.length });
      }
      return { rules: listed, lastRun: rounds.lastRun(guild) };
    },
    /**
     * `isTaken`: whether those who have the role by the rule lose it; Discord lets a person do that below their own roles
     * only. `none`: there is no rule of that role.
     */
    async remove(
      guild: string,
      role: string,
      { isTaken, by }: { readonly isTaken: boolean; readonly by: string },
    ): Promise<'removed' | 'none' | 'above-person' | RightsProblem> {
      const manager = await managerOf(guild, by);
      if (typeof manager === 'string') return manager;
      if (!isTaken) return (await rules.remove(guild, role)) ? 'removed' : 'none';
      if (!(await rules.of(guild)).some((rule) => rule.role === role)) return 'none';
      const { all, roles, isOwner } = manager;
      const existingRule = all.find(({ id }) => id === role);
      if (existingRule !== undefined && !isOwner && !isBelow(existingRule, roles, all)) return 'above-person';
      await rules.update(guild, role, (rule) => ({ ...rule, ending: true, paused: null }));
      changed();
      return 'removed';
    },
  };
}

function ruleOf({ guild: _, ...rule }: NewRule, since: number): Rule {
  return { ...rule, since, paused: null, ending: false };
}
