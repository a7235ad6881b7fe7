/** Puts together what is known of a guild's drivers, and decides about its rules. */

import { readIsoTime } from '../../../src/base/calendar.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { DAY, HOUR, MINUTE } from '../../../src/base/duration.ts';
import { forEachInSlices } from '../../../src/base/for-each-yielding.ts';
import { sumBy } from '../../../src/base/sum-by.ts';
import { createTtlMemo } from '../../../src/base/ttl-memo.ts';
import type { GuildDriver } from '../../../src/community/accounts/guild-drivers.ts';
import type { History } from '../../../src/community/history/history.ts';
import { sameSpelling } from '../../../src/service/models/identifiers.ts';
import type { createRoleFigures, ProfileFigures } from './figures.ts';
import type { Holder, Holders, RoleRules } from './role-rules.ts';
import type { Rule } from './rule.ts';

/** Time online within 30 days, in ms, of a driver; see {@link DriverFacts}. */
type PlayTime = (username: string) => DriverFacts['played'];

/** How long what history says is good enough, in ms: it is read for all guilds together. */
const PLAY_TIME_TTL_MS = 10 * MINUTE;

export function createEvaluation(parts: {
  readonly rules: RoleRules;
  readonly figures: ReturnType<typeof createRoleFigures>;
  /** By person: those who have a driver in the guild. The same map until one of them changes. */
  readonly drivers: (guild: string) => Promise<ReadonlyMap<string, GuildDriver>>;
  /** Null: nothing is known of anyone. */
  readonly played: () => Promise<PlayTime | null>;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
}) {
  const { rules, figures, drivers, played, clock } = parts;
  const playTimeMemo = createTtlMemo<'played', PlayTime | null>(clock, PLAY_TIME_TTL_MS, 1);

  /** `also`: members of whom more is known by now than is stored. */
  return async (guild: string, rule: Rule, also: Holders = {}) => {
    const now = clock.now();
    const guildDrivers = await drivers(guild);
    const figuresOf = await figures.known();
    const hours = rule.when.kind === 'hours-30-days' ? await playTimeMemo.get('played', played) : null;
    const holders: Holders = { ...also, ...(await rules.holders(guild, rule.role)) };
    const earned = (person: string, { username }: GuildDriver): DriverFacts => ({
      played: hours?.(username) ?? null,
      figures: figuresOf(person, username, now),
      joined: readIsoTime(holders[person]?.joined ?? ''),
    });
    return { ...(await decide(rule, holders, guildDrivers, earned, now)), drivers: guildDrivers, holders };
  };
}

/** `earned`: what is known of a person's driver. */
async function decide(
  rule: Rule,
  holders: Holders,
  drivers: ReadonlyMap<string, GuildDriver>,
  earned: (personId: string, driver: GuildDriver) => DriverFacts,
  now: number,
) {
  const had = Object.entries(holders).filter(([, { state }]) => state === 'held' || state === 'giving');
  const counts = ({ proved }: GuildDriver): boolean => proved || rule.linked;
  const verdictOn = (person: string, driver: GuildDriver): Verdict =>
    judge(rule, earned(person, driver), now);

  const unearned: string[] = [];
  const unlinked: string[] = [];
  for (const [person] of had) {
    const driver = drivers.get(person);
    if (rule.ending) unearned.push(person);
    else if (driver === undefined || !counts(driver)) unlinked.push(person);
    else if (!rule.keep && !driver.isHidden && verdictOn(person, driver) === 'unmet') unearned.push(person);
  }
  const losing = new Set([...unearned, ...unlinked]);
  const keeping = (wanted: Holder['state']) =>
    had.flatMap(([person, { state }]) => (state === wanted && !losing.has(person) ? [person] : []));

  const stateOf = (person: string) => holders[person]?.state ?? 'member';
  const [give, unknown, theirs]: [string[], string[], string[]] = [[], [], []];
  await forEachInSlices(rule.ending ? [] : drivers, ([person, driver]) => {
    const state = stateOf(person);
    // The list of unknown stats leaves out hidden drivers.
    if ((state !== 'member' && state !== 'theirs') || !counts(driver) || driver.isHidden) return;
    const verdict = verdictOn(person, driver);
    if (verdict === 'met') (state === 'member' ? give : theirs).push(person);
    else if (verdict === 'unknown' && state === 'member') unknown.push(person);
  });
  return {
    /** Members who have earned the role and do not have it. */
    give,
    /** Members without the role, for whom it is unknown whether they have earned it. */
    unknown,
    /** Members with the role from the bot who no longer qualify, or no longer have a driver that counts. */
    unearned,
    unlinked,
    /** Members who have earned the role and have it: from the bot, or from somebody else. */
    has: keeping('held'),
    theirs,
    /** Members to whom the bot is giving the role now. */
    giving: keeping('giving'),
  };
}

/** `unknown` changes nothing. */
type Verdict = 'met' | 'unmet' | 'unknown';

interface DriverFacts {
  /** Time online within 30 days, in ms: what was seen, and what it may be at most; null: nothing is known. */
  readonly played: { readonly least: number; readonly most: number } | null;
  /** Null: none that are young enough. */
  readonly figures: ProfileFigures | null;
  /** When they joined the guild, in unix milliseconds; null: not known. */
  readonly joined: number | null;
}

function judge({ when }: Pick<Rule, 'when'>, { played, figures, joined }: DriverFacts, now: number): Verdict {
  switch (when.kind) {
    case 'proved':
      // A driver who is not proved is not asked about.
      return 'met';
    case 'hours-30-days':
      return judgePlayTime(played, when.atLeast * HOUR);
    case 'hours':
      return atLeast(figures?.hours, when.atLeast);
    case 'km':
      return atLeast(figures?.km, when.atLeast);
    case 'police-xp':
      return atLeast(figures?.policeXp, when.atLeast);
    case 'member-days':
      return atLeast(joined === null ? null : (now - joined) / DAY, when.atLeast);
    case 'licence': {
      const licences = figures?.licences ?? null;
      if (licences === null) return 'unknown';
      const wantedType = when.type.toLowerCase();
      const matchingLicences = licences.filter(
        ({ type, until }) => type.toLowerCase() === wantedType && (until === null || now < until),
      );
      if (matchingLicences.some(({ isUnclear }) => isUnclear !== true)) return 'met';
      return matchingLicences.length === 0 && figures?.hasUnreadableLicences !== true ? 'unmet' : 'unknown';
    }
  }
}

/** Time that was not seen may have been played. */
function judgePlayTime(played: DriverFacts['played'], wanted: number): Verdict {
  if (played === null) return 'unknown';
  if (played.least >= wanted) return 'met';
  return played.most < wanted ? 'unmet' : 'unknown';
}

function atLeast(value: number | null | undefined, wanted: number): Verdict {
  if (value === null || value === undefined) return 'unknown';
  return value >= wanted ? 'met' : 'unmet';
}

/** Time online within 30 days, of everyone; null where the live files name no drivers. */
export function playedWithinMonth(
  history: Pick<History, 'top' | 'namesDrivers'>,
  clock: Pick<Clock, 'now'>,
): () => Promise<PlayTime | null> {
  return async () => {
    if ((await history.namesDrivers()) !== true) return null;
    const { from, since, until, holes, rows } = await history.top('playtime', 'month');
    if (since === null || until === null) return null;
    const missed = since - from + sumBy(holes, (hole) => hole.to - hole.from) + clock.now() - until;
    const played = new Map(rows.map(({ driver, value }) => [sameSpelling(driver), value]));
    return (username) => {
      const least = played.get(sameSpelling(username)) ?? 0;
      return { least, most: least + missed };
    };
  };
}
