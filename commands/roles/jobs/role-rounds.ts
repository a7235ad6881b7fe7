/** The rules at work: in each guild one process gives and takes roles. */

import { type Clock, resolveWithin } from '../../../src/base/clock.ts';
import { doublePause, HOUR, MINUTE, SECOND } from '../../../src/base/duration.ts';
import { forEachInSlices } from '../../../src/base/for-each-yielding.ts';
import type { GuildDriver } from '../../../src/community/accounts/guild-drivers.ts';
import type { GuildRoles } from '../../../src/discord/send/guild-roles.ts';
import type { createEvaluation } from '../models/evaluate.ts';
import type { GuildMembers } from '../models/guild-members.ts';
import { problemOfPermissions, roleProblem } from '../models/guild-roles.ts';
import { type Holder, type Holders, MAX_HOLDERS, type RoleRules } from '../models/role-rules.ts';
import type { Rule, RulePause } from '../models/rule.ts';

/** A link that is away for less is a link. In ms. */
const UNLINKED_GRACE_MS = 15 * MINUTE;
/** How soon a paused rule is tried again. */
const PAUSED_RETRY_MS = HOUR;
/** How often everything is looked at, although nothing that is stored has changed: hours pass, members come. */
const FULL_CHECK_INTERVAL_MS = 10 * MINUTE;
/** Pauses of a guild after turns that were lost in a row, in ms: a refusal that the bot does not know may last. */
const LOST_PAUSE_MS = { first: MINUTE / 2, longest: FULL_CHECK_INTERVAL_MS };
/** Members of one guild whom Discord is asked about before it is another guild's turn. */
const MAX_REQUESTS_A_TURN = 25;
/** And of all guilds in a round, which is half a minute of answers: what is due is looked at again after it. */
const MAX_REQUESTS_A_ROUND = 10 * MAX_REQUESTS_A_TURN;
/** Time that a round waits for one guild's turn, in ms. A longer turn goes on by itself, and holds up no other guild. */
const TURN_TIMEOUT_MS = SECOND;

interface RoleStep {
  readonly person: string;
  readonly to: 'give' | 'take';
}

export function createRoleRounds(parts: {
  readonly rules: RoleRules;
  readonly evaluate: ReturnType<typeof createEvaluation>;
  readonly members: GuildMembers;
  readonly discord: GuildRoles;
  readonly clock: Clock;
  /** Each resolves with another object when there may be something to do. */
  readonly drivers: {
    version(): Promise<object>;
    in(guild: string): Promise<ReadonlyMap<string, GuildDriver>>;
  };
  readonly figures: { known(): Promise<object> };
  /** This process keeps that guild's rules. Of several with one store, at most one does. */
  readonly holds: (guild: string) => boolean;
  /** Empty where it is not known. */
  readonly ownerOf: (guild: string) => string;
  /** A role's permissions as the gateway has reported them; null in a guild of this process: it is gone. Makes no request. */
  readonly permissionsOf: (guild: string, role: string) => string | null;
  /** The reason in Discord's audit log. */
  readonly why: (rule: Rule) => string;
  /** Called when a rule begins to do nothing. */
  readonly paused: (guild: string, rule: Rule, why: RulePause) => Promise<void>;
}) {
  const { rules, evaluate, members, discord, clock, holds, ownerOf } = parts;
  const lastRuns = new Map<string, number>();
  /** By guild and role: since when a holder has no driver who counts (monotonic), by person. */
  const unlinkedSince = new Map<string, ReadonlyMap<string, number>>();
  /** By guild and role: when a paused rule may be tried again (monotonic). */
  const restingUntil = new Map<string, number>();
  /** By guild: the turns that were lost in a row, and when the next one may begin (monotonic). */
  const lostTurns = new Map<string, { readonly count: number; readonly until: number }>();

  /** The facts of the last round, and until when there is nothing to do if they are the same (monotonic). */
  let last: { readonly seen: readonly object[]; readonly until: number } = { seen: [], until: 0 };
  let hasMore = false;
  /** Guilds whose turn goes on by itself. */
  const underWay = new Set<string>();
  /** Failures of turns that no round has reported yet. */
  const failures: unknown[] = [];
  /** Questions of the last minutes by guild and by its owner, and since when they are counted (monotonic). */
  const requestCounts = { since: 0, by: new Map<string, number>() };
  const askedBy = (whose: string): number => requestCounts.by.get(whose) ?? 0;
  /** Somebody has changed a rule during the round. */
  let isInterrupted = false;
  /** A member has come of whom the facts do not tell. */
  let isRevisited = false;

  function ask(guild: string, person: string): ReturnType<GuildMembers['ask']> {
    for (const whose of [guild, ownerOf(guild)]) requestCounts.by.set(whose, askedBy(whose) + 1);
    return members.ask(guild, person);
  }

  /** Stores what Discord has said, without people who were forgotten meanwhile: they have no link. */
  async function setHolders(guild: string, role: string, changes: Readonly<Record<string, Holder | null>>) {
    const linked = await parts.drivers.in(guild);
    await rules.setHolders(guild, role, changes, (person) => linked.has(person));
  }

  /**
   * Gives and takes the role of one rule. A step is stored before it is done, and its result after it, so that a kill at any
   * point is made good by the next round. Nobody is given a role that they have, and nobody loses one that the bot did not
   * give. Resolves with the reason why it could not go on, and the people who are no members.
   */
  async function changeRoles(guild: string, rule: Rule, holders: Holders, steps: readonly RoleStep[]) {
    const { role } = rule;
    const ready: (RoleStep & { readonly joined: string })[] = [];
    /** People who are no members. */
    const absent: string[] = [];
    const knownHolders: Record<string, Holder | null> = {};
    /** The reason why it could not go on; null: it is done. */
    let stopped: RulePause | 'lost' | null = null;

    for (const { person, to } of steps) {
      const member = await ask(guild, person);
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
    await setHolders(guild, role, { ...knownHolders, ...Object.fromEntries(intended) });
    const changedHolders: Record<string, Holder | null> = {};
    for (const { person, to, joined } of ready) {
      // A batch takes a minute where Discord limits it, and the role may have been given rights since it began.
      const problem = to === 'take' ? null : problemOfPermissions(parts.permissionsOf(guild, role));
      const refusal = holds(guild) ? problem : 'lost';
      const outcome = refusal ?? (await discord[to](guild, person, role, parts.why(rule)));
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
    if (Object.keys(changedHolders).length > 0) await setHolders(guild, role, changedHolders);
    return { stopped, absent };
  }

  /** Resolves with whether there are others to ask about. */
  async function takeTurn(guild: string, here: readonly Rule[], isDue: boolean): Promise<boolean> {
    const end = askedBy(guild) + MAX_REQUESTS_A_TURN;
    let facts: ReturnType<typeof factsOf> | null = null;
    const turn = {
      isDue,
      room: () => Math.max(0, end - askedBy(guild)),
      facts: () => (facts ??= factsOf(guild)),
    };
    let isOver = true;
    for (const rule of here) {
      const key = `${guild} ${rule.role}`;
      if (!holds(guild)) return false;
      if (rule.paused !== null && clock.monotonic() < (restingUntil.get(key) ?? 0)) continue;
      const outcome = await run(guild, rule, turn);
      if (outcome === 'lost') {
        hasMore = true;
        const count = lostTurns.get(guild)?.count ?? 0;
        const until = clock.monotonic() + doublePause(LOST_PAUSE_MS, count);
        lostTurns.set(guild, { count: count + 1, until });
        return false;
      }
      if (outcome === 'more') isOver = false;
      restingUntil.set(key, clock.monotonic() + PAUSED_RETRY_MS);
      await conclude(guild, rule, outcome === 'more' ? null : outcome);
    }
    // A turn for what is due alone may have asked nothing.
    if (isOver || !isDue) lostTurns.delete(guild);
    lastRuns.set(guild, clock.now());
    return !isOver;
  }

  /** The reason why the rule can do nothing; `more`: there are others to ask about; null: it is done, as far as is known. */
  async function run(
    guild: string,
    rule: Rule,
    turn: {
      /** Strangers wait until what is known is done. */
      readonly isDue: boolean;
      /** Questions that are left of it. */
      readonly room: () => number;
      /** Asked for once. */
      readonly facts: () => ReturnType<typeof factsOf>;
    },
  ): Promise<RulePause | 'lost' | 'more' | null> {
    const { isDue, room, facts } = turn;
    const { drivers, holders, ...plan } = await evaluate(guild, rule);
    const isKnown = (person: string) => Object.hasOwn(holders, person) || members.wasAsked(guild, person);
    const isThere = (person: string) => !members.isAbsent(guild, person, drivers.get(person));
    const give = plan.give.filter(isThere);
    const unlinked = unlinkedLong(`${guild} ${rule.role}`, plan.unlinked);
    const all = stepsOf(holders, [...plan.unearned, ...unlinked], isDue ? give.filter(isKnown) : give);
    const steps = all.slice(0, room());
    if (steps.length > 0 || rule.paused !== null || hasNewProblem(guild, rule)) {
      const problem = problemOf(guild, rule, await facts());
      if (problem !== null) return problem;
    }
    const { stopped, absent } = await changeRoles(guild, rule, holders, steps);
    for (const person of absent) members.absent(guild, person, drivers.get(person));
    if (stopped !== null || rule.ending) return stopped ?? (steps.length < all.length ? 'more' : null);
    const strangers = plan.unknown.filter((person) => isThere(person) && !Object.hasOwn(holders, person));
    const strangersInTurn = strangers.slice(0, roomIn(holders));
    const isLeft = steps.length < all.length || (isDue && !give.every(isKnown));
    const looked = await lookAfter(guild, rule, {
      holders,
      drivers,
      others: strangersInTurn,
      room: isDue ? 0 : room(),
    });
    return looked ?? (isLeft ? 'more' : null);
  }

  /** The gateway has reported that the role is gone, or that no rule may give it any more. */
  const hasNewProblem = (guild: string, { role, paused }: Rule): boolean =>
    paused === null && holds(guild) && problemOfPermissions(parts.permissionsOf(guild, role)) !== null;

  /** Keeps people whose link has been away for long. */
  function unlinkedLong(key: string, unlinked: readonly string[]): readonly string[] {
    const previousTimes = unlinkedSince.get(key);
    const now = clock.monotonic();
    const unlinkedTimes = new Map(unlinked.map((person) => [person, previousTimes?.get(person) ?? now]));
    if (unlinkedTimes.size === 0) unlinkedSince.delete(key);
    else unlinkedSince.set(key, unlinkedTimes);
    hasMore ||= unlinkedTimes.size > 0;
    return unlinked.filter((person) => now - (unlinkedTimes.get(person) ?? now) >= UNLINKED_GRACE_MS);
  }

  /** Reads the guild's roles and the bot's own. */
  const factsOf = (guild: string) => Promise.all([discord.roles(guild), discord.member(guild, '@me')]);

  /** A role may have been moved, or given rights, since the rule was made. */
  function problemOf(
    guild: string,
    { role }: Rule,
    [all, bot]: Awaited<ReturnType<typeof factsOf>>,
  ): RulePause | 'lost' | null {
    if (typeof all === 'string' || typeof bot === 'string') return 'lost';
    const problem = roleProblem(role, { guild, roles: all, bot: bot.roles, person: null });
    if (problem === 'above-bot') return 'rights';
    return problem === null || problem === 'unknown-role' ? problem : 'unsafe';
  }

  /**
   * Asks about those of whom nothing was heard within a day: whether they are members, and since when. Who has left and
   * come back may earn it again; what was taken away by hand stays away. Who has no driver any more, and no role by the
   * rule, is forgotten. `others`: those who may earn it, if they are members.
   */
  async function lookAfter(
    guild: string,
    { role }: Rule,
    about: {
      readonly holders: Holders;
      readonly drivers: ReadonlyMap<string, GuildDriver>;
      readonly others: readonly string[];
      readonly room: number;
    },
  ): Promise<'more' | 'lost' | null> {
    const { holders, drivers, others, room } = about;
    const all = Object.keys(holders);
    const isOver = (person: string) => holders[person]?.state === 'member' && !drivers.has(person);
    const peopleToForget = all.filter(isOver);
    const peopleToAsk = [
      ...others,
      ...all.filter((person) => !isOver(person) && !members.wasAsked(guild, person)),
    ];
    const changes: Record<string, Holder | null> = Object.fromEntries(
      peopleToForget.map((person) => [person, null]),
    );
    let isLost = false;
    for (const person of peopleToAsk.slice(0, room)) {
      const member = await ask(guild, person);
      isLost = typeof member === 'string' && member !== 'no-member';
      if (isLost) break;
      changes[person] =
        typeof member === 'string'
          ? null
          : after(holders[person], member.joined, member.roles.includes(role));
    }
    const removedPeople = Object.keys(changes).filter((person) => changes[person] === null);
    if (Object.keys(changes).length > 0) await setHolders(guild, role, changes);
    for (const person of removedPeople) members.absent(guild, person, drivers.get(person));
    if (isLost) return 'lost';
    // A person who was found to be a member may have earned it.
    return peopleToAsk.length > 0 ? 'more' : null;
  }

  function forgetAllBut(all: ReadonlyMap<string, readonly Rule[]>): void {
    const keys = new Set([...all].flatMap(([guild, here]) => here.map(({ role }) => `${guild} ${role}`)));
    for (const timesByKey of [unlinkedSince, restingUntil])
      for (const key of timesByKey.keys()) if (!keys.has(key)) timesByKey.delete(key);
    for (const byGuild of [lastRuns, lostTurns])
      for (const guild of byGuild.keys()) if (!all.has(guild)) byGuild.delete(guild);
  }

  async function conclude(guild: string, rule: Rule, why: RulePause | null): Promise<void> {
    if (why !== rule.paused) await rules.update(guild, rule.role, (now) => ({ ...now, paused: why }));
    if (why !== null && rule.paused === null) await parts.paused(guild, rule, why);
    if (!rule.ending) return;
    const remainingHolders = Object.values(await rules.holders(guild, rule.role));
    if (
      why === 'unknown-role' ||
      !remainingHolders.some(({ state }) => ['giving', 'held', 'taking'].includes(state))
    )
      // Somebody may have made it again meanwhile.
      await rules.update(guild, rule.role, (now) => (now.ending ? null : now));
  }

  return {
    /**
     * Runs one round; not to be called during another one. False: there was nothing to do. Rejects where the store fails;
     * the next one goes on.
     */
    async round() {
      const all = await rules.all();
      const versions = [all, await parts.drivers.version(), await parts.figures.known()];
      const isSame = versions.every((one, at) => one === last.seen[at]) && clock.monotonic() < last.until;
      const hasNews =
        isRevisited || all.entries().some(([guild, here]) => here.some((rule) => hasNewProblem(guild, rule)));
      if (isSame && !hasNews) return false;
      isRevisited = false;
      if (all !== last.seen[0]) forgetAllBut(all);
      const pending = new Set(
        [...all.keys()].filter(
          (guild) => !underWay.has(guild) && clock.monotonic() >= (lostTurns.get(guild)?.until ?? 0),
        ),
      );
      // A guild that this round leaves alone has its turn in a later one.
      hasMore = pending.size < all.size;
      isInterrupted = false;
      if (clock.monotonic() - requestCounts.since >= FULL_CHECK_INTERVAL_MS) {
        requestCounts.since = clock.monotonic();
        requestCounts.by.clear();
      }
      let remainingRequests = MAX_REQUESTS_A_ROUND;
      /** Sorts guilds by the requests that their owners, then they, have caused: many guilds with many strangers delay no other. */
      const inTurn = () =>
        [...pending].toSorted(
          (one, other) => askedBy(ownerOf(one)) - askedBy(ownerOf(other)) || askedBy(one) - askedBy(other),
        );
      async function turnOf(guild: string, isDue: boolean): Promise<void> {
        const requestsBefore = askedBy(guild);
        const guildRules = (await rules.all()).get(guild) ?? [];
        // As if it asked as much as it may, until its end says how much that was.
        remainingRequests -= MAX_REQUESTS_A_TURN;
        underWay.add(guild);
        const turn = takeTurn(guild, guildRules, isDue)
          .catch((error: unknown) => {
            failures.push(error);
            return false;
          })
          .finally(() => {
            underWay.delete(guild);
            remainingRequests += MAX_REQUESTS_A_TURN - Math.max(0, askedBy(guild) - requestsBefore);
          });
        const more = await resolveWithin(turn, TURN_TIMEOUT_MS, clock);
        if (more !== true) pending.delete(guild);
        // The turn is longer than that, and a later round begins the guild's next one.
        if (more === null) hasMore = true;
      }
      function* strangersInTurn(): Generator<string> {
        let [guild] = inTurn();
        while (guild !== undefined && remainingRequests > 0 && !isInterrupted) {
          yield guild;
          [guild] = inTurn();
        }
      }
      await forEachInSlices(inTurn(), async (guild) => {
        if (remainingRequests > 0) await turnOf(guild, true);
      });
      await forEachInSlices(strangersInTurn(), (guild) => turnOf(guild, false));
      hasMore ||= pending.size > 0 || failures.length > 0;
      last = {
        seen: versions,
        until: clock.monotonic() + (hasMore || isRevisited ? 0 : FULL_CHECK_INTERVAL_MS),
      };
      const [failure] = failures.splice(0);
      if (failure !== undefined) throw failure;
      return true;
    },
    /**
     * To be called where a rule was changed: the strangers of other guilds wait for the next round, which looks at it, and no
     * guild pauses.
     */
    interrupt() {
      isInterrupted = true;
      lostTurns.clear();
    },
    /** To be called when a member has come, or come back: the next round looks at everything. */
    revisit() {
      isRevisited = true;
    },
    /** When the guild's rules were last looked at, in unix milliseconds; null: not since the start. */
    lastRun: (guild: string) => lastRuns.get(guild) ?? null,
  };
}

function roomIn(holders: Holders): number {
  return Math.max(0, MAX_HOLDERS - Object.keys(holders).length);
}

/** First what a kill has interrupted. */
function stepsOf(holders: Holders, take: readonly string[], give: readonly string[]): readonly RoleStep[] {
  const inState = (wanted: Holder['state']) =>
    Object.entries(holders).flatMap(([person, { state }]) => (state === wanted ? [person] : []));
  const peopleToTake = new Set([...inState('taking'), ...take]);
  const peopleToGive = [...inState('giving'), ...give.slice(0, roomIn(holders))].filter(
    (person) => !peopleToTake.has(person),
  );
  return [
    ...[...peopleToTake].map((person): RoleStep => ({ person, to: 'take' })),
    ...peopleToGive.map((person): RoleStep => ({ person, to: 'give' })),
  ];
}

function after(holder: Holder | undefined, joined: string, hasIt: boolean): Holder {
  if (holder === undefined || holder.joined !== joined) return { state: hasIt ? 'theirs' : 'member', joined };
  if (hasIt) return holder.state === 'refused' ? { state: 'theirs', joined } : holder;
  return holder.state === 'held' || holder.state === 'theirs' ? { state: 'refused', joined } : holder;
}
