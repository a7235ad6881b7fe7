import { PermissionFlagsBits } from 'discord.js';
import { createRoleRounds } from '../../../../commands/roles/jobs/role-rounds.ts';
import { createEvaluation } from '../../../../commands/roles/models/evaluate.ts';
import { createRoleFigures, type ProfileFigures } from '../../../../commands/roles/models/figures.ts';
import { createGuildMembers } from '../../../../commands/roles/models/guild-members.ts';
import type { roleProblem } from '../../../../commands/roles/models/guild-roles.ts';
import { createRoleRequests } from '../../../../commands/roles/models/role-requests.ts';
import { createRoleRules } from '../../../../commands/roles/models/role-rules.ts';
import type { Rule, RulePause } from '../../../../commands/roles/models/rule.ts';
import { HOUR, MINUTE } from '../../../../src/base/duration.ts';
import type { GuildDriver } from '../../../../src/community/accounts/guild-drivers.ts';
import { hasRight, permissionsIn } from '../../../../src/discord/permissions.ts';
import type { GuildRoles, Standing } from '../../../../src/discord/send/guild-roles.ts';
import { documentsInMemory } from '../../../support/documents-in-memory.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

type RoleFailure = Exclude<Awaited<ReturnType<GuildRoles['give']>>, 'done'>;

type GuildRole = Parameters<typeof roleProblem>[1]['roles'][number];

export const GUILD = '100000000000000000';
export const [VETERAN, PROVED, POLICE, BOT] = [
  '100000000000000001',
  '100000000000000002',
  '100000000000000003',
  '100000000000000009',
];
export const MAKER = '200000000000000000';

/** The process ended at that moment. */
export class Killed extends Error {}

const role = (id: string, position: number, more: Partial<GuildRole> = {}): GuildRole => ({
  ...{ id, position, managed: false, permissions: '0' },
  ...more,
});

/** A guild, a store, and as many processes as a test starts. */
export function guildWithRoles() {
  const clock = createManualClock();
  clock.pass(Date.UTC(2026, 10, 22));
  const documents = documentsInMemory(clock.now);
  const members = new Map<string, { roles: Set<string>; joined: string; isProvisional?: boolean }>();
  const roles = [role(GUILD, 0), role(VETERAN, 1), role(PROVED, 2), role(POLICE, 3), role(BOT, 5)];
  const changes: string[] = [];
  let drivers = new Map<string, GuildDriver>();
  const all = {
    clock,
    documents,
    rules: createRoleRules(documents),
    figures: createRoleFigures(documents),
    roles,
    members,
    /** What Discord was asked to change: `give person role`. */
    changes,
    reasons: [] as string[],
    paused: [] as RulePause[],
    /** Hours online within 30 days, by driver; null: nothing is known. */
    hours: new Map<string, number>() as ReadonlyMap<string, number> | null,
    /** Whether the store cannot tell the hours. */
    playedFails: false,
    /** Hours of the 30 days of which nothing is known. */
    missed: 0,
    /** Discord's answer to all that is asked; null: as it is. */
    failure: null as RoleFailure | null,
    /** Discord's answers to the next changes: one that is lost was done all the same. */
    changeFailures: [] as (RoleFailure | null)[],
    /** Steps of a process that are left until it is killed. */
    untilKill: Number.POSITIVE_INFINITY,
    /** Changes that Discord was asked for, whatever it said. */
    tried: 0,
    holds: true,
    /** Whether the bot has Manage Roles, as far as the gateway has reported. */
    mayManageRoles: true,
    /** Members that Discord was asked about: `guild person`. */
    questions: [] as string[],
    /** Called at each question, and before each change. */
    atQuestion: (): unknown => null,
    atChange: (): unknown => null,
    /** The guild whose documents cannot be read. */
    unreadable: '',
    /** What the gateway has reported of the roles; null: as they are. */
    reported: null as string | null,

    /** Moves a role, or gives it permissions. */
    place(id: string, position: number, permissions = '0'): void {
      const at = roles.findIndex((one) => one.id === id);
      roles.splice(at, 1, role(id, position, { permissions }));
    },
    join(person: string, ...has: readonly string[]): void {
      members.set(person, { roles: new Set(has), joined: new Date(clock.now()).toISOString() });
    },
    drive(person: string, driver: Partial<GuildDriver> | null): void {
      drivers = new Map(drivers);
      if (driver === null) drivers.delete(person);
      else drivers.set(person, { username: `driver ${person}`, proved: true, isHidden: false, ...driver });
    },
    rule(more: Partial<Rule> & Pick<Rule, 'role' | 'when'>, guild = GUILD): Promise<'added' | 'full'> {
      return all.rules.put(guild, { ...newRule, ...more });
    },
    has: (role: string): readonly string[] =>
      [...members].flatMap(([person, { roles: held }]) => (held.has(role) ? [person] : [])).toSorted(),
    /** What the profile of somebody's driver says now. */
    know: (person: string, figures: Partial<ProfileFigures>): Promise<void> =>
      all.figures.save(person, {
        ...{
          driver: `driver ${person}`,
          asOf: clock.now(),
          hours: null,
          km: null,
          policeXp: null,
          licences: null,
        },
        ...figures,
      }),
    process: () => createProcess(all, () => drivers),
    /** Rounds of one process, one a minute. */
    async rounds(count: number, { round } = all.process().rounds): Promise<void> {
      for (let done = 0; done < count; done += 1) {
        await round();
        clock.pass(MINUTE);
      }
    },
  };
  members.set('@me', { roles: new Set([BOT]), joined: '2024-01-01T00:00:00Z' });
  return all;
}
type GuildWithRoles = ReturnType<typeof guildWithRoles>;

export const newRule: Rule = {
  ...{ role: VETERAN, when: { kind: 'proved' }, keep: false, linked: false },
  ...{ madeBy: MAKER, locale: 'en-GB', since: 0, paused: null, ending: false },
};

function createProcess(all: GuildWithRoles, driversNow: () => ReadonlyMap<string, GuildDriver>) {
  const { clock, rules, figures } = all;

  function step(): void {
    if (all.untilKill <= 0) throw new Killed();
    all.untilKill -= 1;
  }

  /** A kill comes before or after what is done. */
  async function asked<Answer>(work: () => Answer): Promise<Answer | RoleFailure> {
    step();
    const answer = all.failure ?? work();
    step();
    return answer;
  }

  const member = (person: string) => all.members.get(person);
  /** In any other guild the bot alone is a member. */
  const memberIn = (guild: string, person: string) =>
    guild === GUILD || person === '@me' ? member(person) : undefined;
  const change =
    (to: 'give' | 'take') => async (_guild: string, person: string, role: string, reason: string) => {
      await all.atChange();
      return asked((): 'done' | RoleFailure => {
        const known = member(person);
        const failure = all.changeFailures.shift() ?? null;
        all.tried += 1;
        if (known === undefined) return 'no-member';
        if (failure !== null && failure !== 'lost') return failure;
        if (to === 'give') known.roles.add(role);
        else known.roles.delete(role);
        all.changes.push(`${to} ${person} ${role}`);
        all.reasons.push(reason);
        return failure ?? 'done';
      });
    };
  const discord: GuildRoles = {
    roles: () => asked(() => all.roles),
    member: async (guild, person) => {
      all.questions.push(`${guild} ${person}`);
      await all.atQuestion();
      return asked(() => {
        const known = memberIn(guild, person);
        if (known?.isProvisional === true) return 'provisional';
        return known === undefined ? 'no-member' : { roles: [...known.roles], joined: known.joined };
      });
    },
    standing: (guild, person) =>
      asked(() => {
        const { joined = '', roles = [] } = member(person) ?? {};
        const held = [...roles];
        const granted = permissionsIn([], {
          ...{ id: guild, ownerId: '1', memberId: person, memberRoles: held },
          roles: new Map(all.roles.map(({ id, permissions }) => [id, permissions])),
        });
        const may: Standing['may'] = (right) => hasRight(granted ?? 0n, PermissionFlagsBits[right]);
        return { joined, roles: held, all: all.roles, isOwner: person === '1', may };
      }),
    give: change('give'),
    take: change('take'),
  };
  const asMembers = createGuildMembers(discord, clock);
  const played: Parameters<typeof createEvaluation>[0]['played'] = async () => {
    const { hours, missed, playedFails } = all;
    if (playedFails) throw new Error('the store is away');
    if (hours === null) return null;
    return (username) => {
      const least = (hours.get(username) ?? 0) * HOUR;
      return { least, most: least + missed * HOUR };
    };
  };
  const stored: typeof rules = {
    ...rules,
    async holders(guild, role) {
      if (guild === all.unreadable) throw new Error('the documents of that guild are broken');
      return rules.holders(guild, role);
    },
    setHolders: async (...asking) => {
      step();
      await rules.setHolders(...asking);
      step();
    },
  };
  const evaluate = createEvaluation({
    rules: stored,
    figures,
    drivers: async () => driversNow(),
    played,
    clock,
  });
  const rounds = createRoleRounds({
    ...{ rules: stored, evaluate, members: asMembers, discord, clock, figures },
    drivers: { version: async () => driversNow(), in: async () => driversNow() },
    holds: () => all.holds,
    ownerOf: (guild) => (guild === GUILD ? '1' : '7'),
    permissionsOf: (_guild, wanted) =>
      all.reported ?? all.roles.find(({ id }) => id === wanted)?.permissions ?? null,
    why: ({ when }) => `Pitwall: ${when.kind}`,
    paused: async (_guild, _rule, why) => void all.paused.push(why),
  });
  const requests = createRoleRequests({
    ...{ rules, evaluate, members: asMembers, discord, rounds },
    mayManageRoles: () => all.mayManageRoles,
    changed: () => {},
  });
  /** An interaction shows a member of the guild as they are now. */
  const showMember = (person: string): void => {
    if (asMembers.observe(GUILD, person, member(person)?.joined ?? '')) rounds.revisit();
  };
  return { rounds, requests, showMember };
}
