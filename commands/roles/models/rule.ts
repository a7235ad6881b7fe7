/** A role that a guild's drivers earn, and by what. */
import { z } from 'zod';

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
  /** The role stays once it is earned; else it follows the figure. */
  keep: z.boolean(),
  /** Drivers count that are linked and not proved. */
  linked: z.boolean(),
  /** Empty where that person was forgotten. */
  madeBy: z.string(),
  /** BCP 47, of who made it. */
  locale: z.string(),
  /** Unix milliseconds. */
  since: z.number(),
  /** Why it does nothing at present; it tries again by itself. */
  paused: z.enum(['rights', 'unknown-role', 'unsafe']).nullable(),
  /** The rule was removed, and its roles go before it does. */
  ending: z.boolean(),
});
export type Rule = z.output<typeof Rule>;
export type RulePause = NonNullable<Rule['paused']>;

/** A rule to be, of one guild. */
export type NewRule = Pick<Rule, 'role' | 'when' | 'keep' | 'linked' | 'madeBy' | 'locale'> & {
  readonly guild: string;
};

/** As `/roles list` shows it. */
export interface ListedRule extends Rule {
  /** How many have the role by it. */
  readonly holders: number;
  /** By their accounts' ids; of them `theirs` have it of somebody else. */
  readonly qualify: readonly string[];
  readonly theirs: readonly string[];
  /** Members of whom a figure is wanted that is not known, or too old. */
  readonly unknown: number;
}

/** As `/roles preview` shows it. */
export interface PreviewedRule extends Rule {
  /** By their accounts' ids. */
  readonly gains: readonly string[];
  readonly loses: readonly string[];
  /** Members who qualify and have the role already. */
  readonly has: readonly string[];
  /** Members of whom a figure is wanted that is not known, or too old. */
  readonly unknown: number;
  /** Number of people who would gain the role if they are members: too many to ask Discord about. */
  readonly perhaps: number;
}
