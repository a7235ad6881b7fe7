/** What commands want of the rules by which drivers earn roles. */
import type { ListedRule, PreviewedRule } from '../cards/roles/roles-card.ts';
import type { EarnedBy } from '../cards/roles/rule-text.ts';

/** What a person decides of a rule. */
export interface NewRule {
  readonly guild: string;
  readonly role: string;
  readonly when: EarnedBy;
  readonly keep: boolean;
  readonly linked: boolean;
  readonly madeBy: string;
  /** BCP 47. */
  readonly locale: string;
}

/** `not-allowed`: whoever asks does not have Manage Roles in the guild. `lost`: Discord does not answer. */
type Refusal = 'not-allowed' | 'lost';
/** `rights`: the bot lacks Manage Roles. */
type RuleRefusal =
  | Refusal
  | 'everyone'
  | 'managed'
  | 'unsafe'
  | 'above-bot'
  | 'above-person'
  | 'unknown-role'
  | 'rights';

/** Rejects where the store fails. */
export interface Roles {
  /** Replaces the rule of that role. */
  add(rule: NewRule, now: number): Promise<'added' | 'full' | RuleRefusal>;
  /** What that rule would do, or what all of the guild's would; nothing is changed by it. */
  preview(guild: string, by: string, rule: NewRule | null): Promise<readonly PreviewedRule[] | Refusal>;
  list(
    guild: string,
    by: string,
  ): Promise<{ readonly rules: readonly ListedRule[]; readonly lastRun: number | null } | Refusal>;
  /** `isTaken`: whether those who have the role by it lose it. `none`: there is no rule of that role. */
  remove(
    guild: string,
    role: string,
    asked: { readonly isTaken: boolean; readonly by: string },
  ): Promise<'removed' | 'none' | 'above-person' | Refusal>;
}
