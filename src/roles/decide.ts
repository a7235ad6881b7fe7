/** Who is to get a rule's role, and who is to lose it. Pure. */

import type { GuildDriver } from '../people/guild-drivers.ts';
import type { Rule } from '../service/models/rule.ts';
import { type Earned, judge, type Verdict } from './judge.ts';
import type { Holders } from './role-rules.ts';

export interface Plan {
  /** They have earned it, if they are members. */
  readonly give: readonly string[];
  /** They have it of the bot and have not earned it any more, or have no driver any more who counts. */
  readonly unearned: readonly string[];
  readonly unlinked: readonly string[];
  /** They count and do not have it, and whether they have earned it is not known. */
  readonly unknown: readonly string[];
}

/** `earned`: what is known of a person's driver. */
export function decide(
  rule: Rule,
  holders: Holders,
  drivers: ReadonlyMap<string, GuildDriver>,
  earned: (personId: string, driver: GuildDriver) => Earned,
  now: number,
): Plan {
  const had = Object.entries(holders).filter(([, { state }]) => state === 'held' || state === 'giving');
  if (rule.ending) return { give: [], unearned: had.map(([person]) => person), unlinked: [], unknown: [] };
  const counts = ({ proved }: GuildDriver): boolean => proved || rule.linked;
  const verdictOn = (person: string, driver: GuildDriver): Verdict =>
    judge(rule, earned(person, driver), now);

  const unearned: string[] = [];
  const unlinked: string[] = [];
  for (const [person] of had) {
    const driver = drivers.get(person);
    if (driver === undefined || !counts(driver)) unlinked.push(person);
    else if (!rule.keep && !driver.isHidden && verdictOn(person, driver) === 'unmet') unearned.push(person);
  }
  const others = [...drivers]
    .filter(([person, driver]) => (holders[person]?.state ?? 'member') === 'member' && counts(driver))
    // Of hidden ones it is not even said that something is not known.
    .filter(([, { isHidden }]) => !isHidden)
    .map(([person, driver]) => ({ person, verdict: verdictOn(person, driver) }));
  const having = (wanted: Verdict) =>
    others.flatMap(({ person, verdict }) => (verdict === wanted ? [person] : []));
  return { give: having('met'), unearned, unlinked, unknown: having('unknown') };
}
