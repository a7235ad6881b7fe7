/** Puts together what is known of a guild's drivers, and decides about its rules. */

import type { Clock } from '../base/clock.ts';
import { MINUTE } from '../base/duration.ts';
import { createLately } from '../base/lately.ts';
import type { GuildDriver } from '../people/guild-drivers.ts';
import type { Rule } from '../service/models/rule.ts';
import { decide, type Plan } from './decide.ts';
import type { RoleFigures } from './figures.ts';
import type { Earned } from './judge.ts';
import type { Holder, Holders, RoleRules } from './role-rules.ts';

/** Time online within 30 days, in ms, of a driver; see {@link Earned}. */
export type Played = (username: string) => Earned['played'];

interface EvaluateParts {
  readonly rules: RoleRules;
  readonly figures: RoleFigures;
  /** By person: those who have a driver in the guild. The same map until one of them changes. */
  readonly drivers: (guild: string) => Promise<ReadonlyMap<string, GuildDriver>>;
  /** Null: nothing is known of anyone. */
  readonly played: () => Promise<Played | null>;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
}

/** How long what history says is good enough, in ms: it is read for all guilds together. */
const PLAYED_FOR = 10 * MINUTE;

export function createEvaluation({ rules, figures, drivers, played, clock }: EvaluateParts) {
  const lately = createLately<'played', Played | null>(clock, PLAYED_FOR, 1);

  /** `also`: members of whom more is known by now than is stored. */
  return async (
    guild: string,
    rule: Rule,
    also: Holders = {},
  ): Promise<Plan & { readonly drivers: ReadonlyMap<string, GuildDriver>; readonly holders: Holders }> => {
    const now = clock.now();
    const here = await drivers(guild);
    const figuresOf = await figures.known();
    const hours = rule.when.kind === 'hours-30-days' ? await lately.of('played', played) : null;
    const holders = { ...also, ...(await rules.holders(guild, rule.role)) };
    const earned = (person: string, { username }: GuildDriver): Earned => ({
      played: hours?.(username) ?? null,
      figures: figuresOf(person, username, now),
      joined: joinedAt(holders[person]),
    });
    return { ...decide(rule, holders, here, earned, now), drivers: here, holders };
  };
}

function joinedAt(holder: Holder | undefined): number | null {
  const at = Date.parse(holder?.joined ?? '');
  return Number.isNaN(at) ? null : at;
}
