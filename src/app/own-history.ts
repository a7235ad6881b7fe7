import { DAY } from '../base/duration.ts';
import type { Link } from '../people/links.ts';
import type { UserData } from '../people/user-data.ts';

/**
 * How long a link has to stand before it can delete its driver's history, in ms. Nobody checks a link, so until then
 * the driver's real owner can learn from `/link` that somebody else has it, and ask whoever runs the bot to name the
 * driver in `SHOWN_DRIVERS`. Longer would keep honest drivers waiting for little: who plans to harm can wait, too.
 */
const STANDING = 30 * DAY;

/** Why a driver's history outlasts the account's data. Times in unix milliseconds. */
type Kept =
  | { readonly why: 'young'; readonly until: number }
  /** Whoever runs the bot has decided that nobody can hide or delete this driver. */
  | { readonly why: 'operator' };

/** What history recorded about the driver whom a person has linked. */
export interface OwnHistory {
  readonly username: string;
  /** Null: it can be deleted. */
  readonly kept: Kept | null;
}

/** The person's own link counts, and no guild's correction: anyone can create a guild and be its administrator. */
export function ownHistory({ username, since }: Link, isShownByOperator: boolean, now: number): OwnHistory {
  if (isShownByOperator) return { username, kept: { why: 'operator' } };
  const until = since + STANDING;
  return { username, kept: now < until ? { why: 'young', until } : null };
}

/** Everything stored under a person's account, and what history recorded about their driver. */
export interface OwnData extends Pick<UserData, 'stored'> {
  /** Null: the person has linked no driver. */
  history(personId: string, now: number): Promise<OwnHistory | null>;
  /**
   * Deletes all that is stored under the account. `history`: that of the driver too, where it is not kept. Rejects
   * where the store itself fails.
   */
  forget(personId: string, asked: { readonly history: boolean; readonly now: number }): Promise<Forgotten>;
}

interface Forgotten {
  /** The files that could not be changed. */
  readonly left: readonly string[];
  /** The driver whose history is still there; null: there is none. */
  readonly kept: { readonly username: string; readonly isFixed: boolean } | null;
}
