/** The rules at work: in each guild one process gives and takes roles. */
import type { Clock } from '../base/clock.ts';
import { HOUR, MINUTE } from '../base/duration.ts';
import type { Rule, RulePause } from '../service/models/rule.ts';
import type { createEvaluation } from './evaluate.ts';
import { type GuildRoles, roleProblem } from './guild-roles.ts';
import type { Members } from './members.ts';
import { createPerform, type Step } from './perform.ts';
import { type Holder, type Holders, MOST_HOLDERS, type RoleRules } from './role-rules.ts';

interface RoleRoundsParts {
  readonly rules: RoleRules;
  readonly evaluate: ReturnType<typeof createEvaluation>;
  readonly members: Members;
  readonly discord: GuildRoles;
  readonly clock: Clock;
  /** Each resolves with another object when there may be something to do. */
  readonly drivers: { version(): Promise<object> };
  readonly figures: { known(): Promise<object> };
  /** Whether this process keeps that guild's rules. Of several with one store, at most one does. */
  readonly holdsLease: (guild: string) => boolean;
  /** The reason in Discord's audit log. */
  readonly why: (rule: Rule) => string;
  /** Called when a rule begins to do nothing. */
  readonly paused: (guild: string, rule: Rule, why: RulePause) => Promise<void>;
}

export interface RoleRounds {
  /**
   * Runs one round; not to be called during another one. False: there was nothing to do. Rejects where the store fails;
   * the next one goes on.
   */
  round(): Promise<boolean>;
  /** When the guild's rules were last looked at, in unix milliseconds; null: not since the start. */
  lastRun(guild: string): number | null;
}

/** A link that is away for less is a link. In ms. */
const UNLINKED_FOR = 15 * MINUTE;
/** How soon a paused rule is tried again. */
const AGAIN = HOUR;
/** How often everything is looked at, although nothing that is stored has changed: hours pass, members come. */
const EVERYTHING = 10 * MINUTE;
/** Members that one rule asks Discord about in a round, and again when it looks after those who have the role. */
const BATCH = 25;

export function createRoleRounds(parts: RoleRoundsParts): RoleRounds {
  const { rules, evaluate, members, discord, clock, holdsLease } = parts;
  const perform = createPerform(parts);
  const lastRuns = new Map<string, number>();
  /** By guild, role and person: since when a holder has no driver who counts (monotonic). */
  let unlinkedSince: ReadonlyMap<string, number> = new Map();
  /** By guild and role: when a paused rule may be tried again (monotonic). */
  const restingUntil = new Map<string, number>();

  /** What the last round has seen, and until when there is nothing to do if it is the same (monotonic). */
  let last: { readonly seen: readonly object[]; readonly until: number } = { seen: [], until: 0 };
  let hasMore = false;
  /** Whether a pass has found members who may earn a role at once. */
  let hasLearned = false;

  async function runGuild(
    guild: string,
    here: readonly Rule[],
    unlinked: Map<string, number>,
  ): Promise<void> {
    for (const rule of here) {
      const key = `${guild} ${rule.role}`;
      if (!holdsLease(guild)) return;
      if (rule.paused !== null && clock.monotonic() < (restingUntil.get(key) ?? 0)) continue;
      const why = await run(guild, rule, unlinked);
      if (why === 'lost') {
        hasMore = true;
        return;
      }
      restingUntil.set(key, clock.monotonic() + AGAIN);
      await conclude(guild, rule, why);
    }
    lastRuns.set(guild, clock.now());
  }

  /** Why the rule can do nothing; null: it can, as far as is known. */
  async function run(
    guild: string,
    rule: Rule,
    unlinked: Map<string, number>,
  ): Promise<RulePause | 'lost' | null> {
    const { drivers, holders, ...plan } = await evaluate(guild, rule);
    const isThere = (person: string) => !members.isAbsent(guild, person, drivers.get(person));
    const unlinkedLong = plan.unlinked.filter((person) => {
      const key = `${guild} ${rule.role} ${person}`;
      const since = unlinkedSince.get(key) ?? clock.monotonic();
      unlinked.set(key, since);
      return clock.monotonic() - since >= UNLINKED_FOR;
    });
    const steps = stepsOf(holders, [...plan.unearned, ...unlinkedLong], plan.give.filter(isThere));
    if (steps.length > 0 || rule.paused !== null) {
      const problem = await problemOf(guild, rule);
      if (problem !== null) return problem;
    }
    hasMore ||= steps.length === BATCH;
    const { stopped, absent } = await perform(guild, rule, holders, steps);
    const others = stopped === null && !rule.ending ? plan.unknown.filter(isThere) : [];
    const gone =
      stopped === null && !rule.ending ? await lookAfter(guild, rule, { holders, drivers }, others) : [];
    for (const person of [...absent, ...gone]) members.absent(guild, person, drivers.get(person));
    return stopped;
  }

  /** A role may have been moved, or given rights, since the rule was made. */
  async function problemOf(guild: string, { role }: Rule): Promise<RulePause | 'lost' | null> {
    const all = await discord.roles(guild);
    const bot = await discord.member(guild, '@me');
    if (typeof all === 'string' || typeof bot === 'string') return 'lost';
    const problem = roleProblem(role, { guild, roles: all.roles, bot: bot.roles, person: null });
    if (problem === 'above-bot') return 'rights';
    return problem === null || problem === 'unknown-role' ? problem : 'unsafe';
  }

  /**
   * Asks about those of whom nothing was heard within a day: whether they are members, and since when. Who has left and
   * come back may earn it again; what was taken away by hand stays away. Who has no driver any more, and no role by the
   * rule, is forgotten. Resolves with those who are no members, or forgotten.
   */
  async function lookAfter(
    guild: string,
    { role }: Rule,
    { holders, drivers }: { readonly holders: Holders; readonly drivers: ReadonlyMap<string, unknown> },
    others: readonly string[],
  ): Promise<readonly string[]> {
    const all = Object.keys(holders);
    const isOver = (person: string) => holders[person]?.state === 'member' && !drivers.has(person);
    const over = all.filter(isOver);
    const strangers = others.filter((person) => !Object.hasOwn(holders, person));
    const due = [
      ...strangers,
      ...all.filter((person) => !isOver(person) && !members.wasAsked(guild, person)),
    ].slice(0, BATCH);
    hasMore ||= due.length > 0;
    hasLearned ||= strangers.length > 0;
    const changes: Record<string, Holder | null> = Object.fromEntries(over.map((person) => [person, null]));
    for (const person of due) {
      const member = await members.ask(guild, person);
      if (member === 'no-member') changes[person] = null;
      if (typeof member === 'string') continue;
      changes[person] = after(holders[person], member.joined, member.roles.includes(role));
    }
    if (due.length + over.length > 0) await rules.setHolders(guild, role, changes);
    return Object.keys(changes).filter((person) => changes[person] === null);
  }

  async function conclude(guild: string, rule: Rule, why: RulePause | null): Promise<void> {
    if (why !== rule.paused) await rules.update(guild, rule.role, (now) => ({ ...now, paused: why }));
    if (why !== null && rule.paused === null) await parts.paused(guild, rule, why);
    if (!rule.ending || why === 'rights' || why === 'unsafe') return;
    const left = Object.values(await rules.holders(guild, rule.role));
    if (why === 'unknown-role' || !left.some(({ state }) => ['giving', 'held', 'taking'].includes(state)))
      await rules.remove(guild, rule.role);
  }

  return {
    async round() {
      const all = await rules.all();
      const seen = [all, await parts.drivers.version(), await parts.figures.known()];
      const isSame = seen.every((one, at) => one === last.seen[at]) && clock.monotonic() < last.until;
      if (isSame) return false;
      hasMore = false;
      const failures: unknown[] = [];
      for (let passes = 0; passes === 0 || (hasLearned && passes < 2); passes += 1) {
        const unlinked = new Map<string, number>();
        hasLearned = false;
        for (const [guild, here] of all)
          await runGuild(guild, here, unlinked).catch((error: unknown) => failures.push(error));
        unlinkedSince = unlinked;
      }
      hasMore ||= unlinkedSince.size > 0 || failures.length > 0;
      last = { seen, until: clock.monotonic() + (hasMore ? 0 : EVERYTHING) };
      if (failures.length > 0) throw failures[0];
      return true;
    },
    lastRun: (guild) => lastRuns.get(guild) ?? null,
  };
}

/** First what a kill has interrupted. */
function stepsOf(holders: Holders, take: readonly string[], give: readonly string[]): readonly Step[] {
  const inState = (wanted: Holder['state']) =>
    Object.entries(holders).flatMap(([person, { state }]) => (state === wanted ? [person] : []));
  const room = Math.max(0, MOST_HOLDERS - Object.keys(holders).length);
  const taken = new Set([...inState('taking'), ...take]);
  const given = [...inState('giving'), ...give.slice(0, room)].filter((person) => !taken.has(person));
  return [
    ...[...taken].map((person) => ({ person, to: 'take' as const })),
    ...given.map((person) => ({ person, to: 'give' as const })),
  ].slice(0, BATCH);
}

function after(holder: Holder | undefined, joined: string, hasIt: boolean): Holder {
  if (holder === undefined || holder.joined !== joined) return { state: hasIt ? 'theirs' : 'member', joined };
  if (hasIt) return holder.state === 'refused' ? { state: 'theirs', joined } : holder;
  return holder.state === 'held' || holder.state === 'theirs' ? { state: 'refused', joined } : holder;
}
