import { ServiceError, type Share } from '../errors.ts';
import type { Asker, Call, Fetched, Layer } from './call.ts';

/** What is to be shared: the key's budget as it stands. */
export interface Whole {
  readonly limit: number;
  readonly windowMs: number;
  /** Permits in force, by who asked. */
  readonly spent: { readonly interactive: number; readonly background: number };
  /** What the service itself still leaves; null where it does not say. */
  readonly remaining: number | null;
}

export interface FairShareSettings {
  readonly clock: {
    /** Unix milliseconds. */
    now(): number;
    /** Milliseconds that only grow, so that a step of the wall clock shuts nobody out. */
    monotonic(): number;
  };
  /** Rejects while nobody knows; then the last one known holds. */
  readonly whole: () => Promise<Whole>;
}

/** Look-ups that a person has within that many milliseconds. */
export const BURST = { lookups: 5, ms: 30_000 };
/** The part of the budget that one person may take. */
const PERSON = 1 / 10;
/** The budget is short when less than this part of it is left. */
const SHORT = 1 / 4;
/** From a look-up to the latest moment at which its request counts: its wait for a permit, and its time on the way. */
const UNDER_WAY_MS = 30_000;
/** All direct conversations together count as one guild. */
const DIRECT = 'direct';
/** Look-ups that are remembered, whatever the budget: no more than this are ever told apart. */
const REMEMBERED = 50_000;

/** One look-up. */
interface Charge {
  readonly asker: Asker;
  /** Monotonic. */
  readonly at: number;
  /** Requests that it cost. */
  cost: number;
}

/** The look-ups of one person or of one guild, oldest first, and what they cost. */
interface Account {
  readonly charges: Charge[];
  cost: number;
}

interface Refused {
  readonly share: Share;
  /** Monotonic time at which the next look-up is due. */
  readonly due: number;
}

/**
 * Lets nobody take more than a fair part of the budget: a person five look-ups in half a minute and a tenth of the
 * budget; and while little is left, a guild no more than an even part of it. It stands below the cache, so that what
 * is known costs nobody anything, and a question that several share is charged to the one who caused it. What the
 * bot asks for itself passes. Refuses with an `over-budget` that says whose share it is.
 */
export function createFairShare({ clock, whole }: FairShareSettings): (next: Layer) => Layer {
  const all = new Set<Charge>();
  const people = new Map<string, Account>();
  const guilds = new Map<string, Account>();
  /** Client keys, interface §8, until the first answer. */
  let known: Whole = {
    limit: 720,
    windowMs: 3_600_000,
    spent: { interactive: 0, background: 0 },
    remaining: null,
  };

  function accountsOf({ personId, guildId }: Asker): readonly (readonly [Map<string, Account>, string])[] {
    return [
      [people, personId],
      [guilds, guildId ?? DIRECT],
    ];
  }

  function enter(charge: Charge): void {
    all.add(charge);
    for (const [accounts, id] of accountsOf(charge.asker)) {
      const account = accounts.get(id) ?? { charges: [], cost: 0 };
      account.charges.push(charge);
      account.cost += charge.cost;
      accounts.set(id, account);
    }
  }

  function remove(charge: Charge): void {
    if (!all.delete(charge)) return;
    for (const [accounts, id] of accountsOf(charge.asker)) {
      const account = accounts.get(id);
      if (account === undefined) continue;
      account.charges.splice(account.charges.indexOf(charge), 1);
      account.cost -= charge.cost;
      if (account.charges.length === 0) accounts.delete(id);
    }
  }

  /** A request that failed and was sent once more cost two. */
  function costsAnother(charge: Charge): void {
    if (!all.has(charge)) return;
    charge.cost += 1;
    for (const [accounts, id] of accountsOf(charge.asker)) {
      const account = accounts.get(id);
      if (account !== undefined) account.cost += 1;
    }
  }

  const heldMs = (): number => known.windowMs + UNDER_WAY_MS;

  function forget(now: number): void {
    for (const charge of all) {
      if (charge.at + heldMs() > now && all.size < REMEMBERED) return;
      remove(charge);
    }
  }

  function burst({ personId }: Asker, now: number): Refused | null {
    const oldest = people.get(personId)?.charges.at(-BURST.lookups);
    if (oldest === undefined || oldest.at + BURST.ms <= now) return null;
    return { share: 'burst', due: oldest.at + BURST.ms };
  }

  /** What is used of a part of the budget, and when enough of it is free again. */
  function exceeded(account: Account | undefined, part: number, share: Share): Refused | null {
    if (account === undefined || account.cost < part) return null;
    let left = account.cost;
    for (const { at, cost } of account.charges) {
      left -= cost;
      if (left < part) return { share, due: at + heldMs() };
    }
    return null;
  }

  function refusal(asker: Asker): Refused | null {
    const { limit, spent, remaining } = known;
    // Even the smallest budget has room for one look-up of each.
    const person = exceeded(people.get(asker.personId), Math.max(1, Math.floor(limit * PERSON)), 'person');
    if (person !== null) return person;

    const left = Math.min(limit - spent.interactive - spent.background, remaining ?? limit);
    if (left >= limit * SHORT) return null;
    const own = guilds.get(asker.guildId ?? DIRECT);
    const sharers = guilds.size + (own === undefined ? 1 : 0);
    // What people have had and can still have: not what pollers and other users of the key have taken.
    const ours = spent.interactive + Math.max(0, left);
    return sharers === 1 ? null : exceeded(own, Math.max(1, ours / sharers), 'guild');
  }

  async function learn(): Promise<void> {
    try {
      known = await whole();
    } catch {
      // Whether anything may be sent then is for the budget to say.
    }
  }

  function refuse({ endpoint }: Call, { share, due }: Refused, now: number): ServiceError {
    const retryAt = clock.now() + Math.ceil(due - now);
    const detail = `the share is used up: ${share}`;
    return new ServiceError('over-budget', { endpoint, sent: 'no', share, retryAt, detail });
  }

  /** Throws where the asker has had their share, else enters the look-up. */
  async function charge(call: Call, asker: Asker): Promise<Charge> {
    // First without the budget's book: a flood ends here.
    const early = burst(asker, clock.monotonic());
    if (early !== null) throw refuse(call, early, clock.monotonic());
    await learn();
    const now = clock.monotonic();
    forget(now);
    const refused = burst(asker, now) ?? refusal(asker);
    if (refused !== null) throw refuse(call, refused, now);
    const entered = { asker, at: now, cost: 1 };
    enter(entered);
    return entered;
  }

  return (next) => {
    async function charged(call: Call, asker: Asker): Promise<Fetched> {
      const entered = await charge(call, asker);
      try {
        return await next(call);
      } catch (error) {
        if (error instanceof ServiceError && error.sent === 'no') remove(entered);
        else if (error instanceof ServiceError && error.transient) costsAnother(entered);
        throw error;
      }
    }

    return (call) =>
      call.keyed && call.priority === 'interactive' && call.asker !== undefined
        ? charged(call, call.asker)
        : next(call);
  };
}
