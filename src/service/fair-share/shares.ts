import type { Share } from '../../errors.ts';
import type { Asker } from '../call.ts';
import type { Account, Accounts } from './accounts.ts';

/** What is to be shared: the key's budget as it stands. */
export interface Whole {
  readonly limit: number;
  readonly windowMs: number;
  /** Permits in force, by who asked. */
  readonly spent: { readonly interactive: number; readonly background: number };
  /** What the service itself still leaves; null where it does not say. */
  readonly remaining: number | null;
}

/** Whose share is used up. */
export interface Refusal {
  readonly share: Share;
  /** Monotonic time at which the next look-up is due. */
  readonly due: number;
}

/** Look-ups that a person has within so many milliseconds. */
const BURST = { lookups: 5, ms: 30_000 };
/** The part of the budget that one person may take. */
const PERSON = 1 / 10;
/** The budget is short when less than this part of it is left. */
const SHORT = 1 / 4;
/** From a look-up to the latest moment at which its request counts: its wait for a permit, and its time on the way. */
const UNDER_WAY_MS = 30_000;

/** Milliseconds for which a look-up counts. */
export function heldMs({ windowMs }: Whole): number {
  return windowMs + UNDER_WAY_MS;
}

/** For whoever has asked too often within the last half minute. */
export function burst(accounts: Accounts, asker: Asker, now: number): Refusal | null {
  const oldest = accounts.ofPerson(asker)?.charges.at(-BURST.lookups);
  if (oldest === undefined || oldest.at + BURST.ms <= now) return null;
  return { share: 'burst', due: oldest.at + BURST.ms };
}

/** For whoever, alone or with their guild, has had their part of the budget. */
export function partUsed(accounts: Accounts, asker: Asker, whole: Whole): Refusal | null {
  const { limit, spent, remaining } = whole;
  // Even the smallest budget has room for one look-up of each.
  const part = Math.max(1, Math.floor(limit * PERSON));
  const person = beyond(accounts.ofPerson(asker), part, 'person', heldMs(whole));
  if (person !== null) return person;

  const left = Math.min(limit - spent.interactive - spent.background, remaining ?? limit);
  if (left >= limit * SHORT) return null;
  const guild = accounts.ofGuild(asker);
  const sharers = accounts.guilds() + (guild === null ? 1 : 0);
  if (sharers === 1) return null;
  // What people have had and can still have: not what pollers and other users of the key have taken.
  const ours = spent.interactive + Math.max(0, left);
  return beyond(guild, Math.max(1, ours / sharers), 'guild', heldMs(whole));
}

/** Whether an account has used up its part, and when enough of it is free again. */
function beyond(account: Account | null, part: number, share: Share, held: number): Refusal | null {
  if (account === null || account.cost < part) return null;
  let left = account.cost;
  for (const { at, cost } of account.charges) {
    left -= cost;
    if (left < part) return { share, due: at + held };
  }
  return null;
}
