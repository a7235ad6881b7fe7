/** A role that a guild's drivers earn, and by what. */
import { z } from 'zod';
import type { RuleSaid } from '../cards/roles/rule-text.ts';

/** Why a rule does nothing at present; it tries again by itself. */
const pauses = ['rights', 'unknown-role', 'unsafe'] as const;

export const Rule = z.object({
  role: z.string(),
  when: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('proved') }),
    z.object({ kind: z.literal('licence'), type: z.string().max(64) }),
    z.object({
      kind: z.enum(['hours-30-days', 'hours', 'km', 'police-xp', 'member-days']),
      atLeast: z.int().positive(),
    }),
  ]),
  /** Whether the role stays once it is earned; else it follows the figure. */
  keep: z.boolean(),
  /** Whether drivers count that are linked and not proved. */
  linked: z.boolean(),
  /** Empty where that person was forgotten. */
  madeBy: z.string(),
  /** BCP 47, of who made it. */
  locale: z.string(),
  /** Unix milliseconds. */
  since: z.number(),
  paused: z.enum(pauses).nullable(),
  /** The rule was removed, and its roles go before it does. */
  ending: z.boolean(),
}) satisfies z.ZodType<RuleSaid>;
export type Rule = z.output<typeof Rule>;
export type Pause = (typeof pauses)[number];

/**
 * What the bot knows of a member and the role of a rule.
 * - `member`: they have not earned it, as far as is known.
 * - `giving`, `taking`: it is being done, and is done again after a kill. `held`: the bot gave it.
 * - `theirs`: they had it before, so the bot never takes it. `refused`: somebody took it away by hand.
 */
export const Holder = z.object({
  state: z.enum(['member', 'giving', 'held', 'taking', 'theirs', 'refused']),
  /** When they joined the guild, as Discord writes it: another time is another stay. */
  joined: z.string(),
});
export type Holder = z.output<typeof Holder>;

export type Holders = Readonly<Record<string, Holder>>;
