import type { Clock } from '../../base/clock.ts';
import { ServiceError, type Share } from '../../base/errors.ts';
import { sumBy } from '../../base/sum-by.ts';
import type { BudgetSnapshot } from '../budget/budget-snapshot.ts';
import { CLIENT_KEY } from '../budget/estimate.ts';
import type { Asker, Call, Fetched, Layer } from '../call.ts';

/** The budget to share, as it is now. */
type SharedBudget = Pick<BudgetSnapshot, 'limit' | 'windowMs' | 'spent' | 'remaining'>;

/** A look-up that counts. */
interface Charge {
  readonly asker: Asker;
  /** Monotonic milliseconds. */
  readonly at: number;
  /** In requests. */
  cost: number;
}

/** Owner of the share that is used up. */
interface Refusal {
  readonly share: Share;
  /** Monotonic time at which the next look-up is due. */
  readonly dueAt: number;
}

/** Number of look-ups that a person may make within `ms`. */
const BURST_LIMIT = { lookups: 5, ms: 30_000 };
/** Part of the budget that one person may take. */
const PERSON_SHARE = 1 / 10;
/** Below this part of the budget, guild shares apply. */
const SCARCE_SHARE = 1 / 4;
/** The last part of the budget is for guilds that have used less than `MIN_SHARE` of it. */
const NEWCOMER_SHARE = 1 / 12;
const MIN_SHARE = 1 / 72;
/** From a look-up to the latest time at which its request can count: its wait for a permit and its time under way. */
const MAX_FLIGHT_MS = 30_000;

/** Returns the time for which a look-up counts, in ms. */
function countedMs({ windowMs }: SharedBudget): number {
  return windowMs + MAX_FLIGHT_MS;
}

function costOf(charges: readonly Charge[]): number {
  return sumBy(charges, ({ cost }) => cost);
}

function ofPerson(charges: readonly Charge[], { personId }: Asker): readonly Charge[] {
  return charges.filter(({ asker }) => asker.personId === personId);
}

/** All direct messages together count as one guild. */
function ofGuild(charges: readonly Charge[], { guildId }: Asker): readonly Charge[] {
  return charges.filter(({ asker }) => asker.guildId === guildId);
}

/** Refuses a person who has made too many look-ups within the last half minute. */
function burst(charges: readonly Charge[], asker: Asker, now: number): Refusal | null {
  const oldest = ofPerson(charges, asker).at(-BURST_LIMIT.lookups);
  if (oldest === undefined || oldest.at + BURST_LIMIT.ms <= now) return null;
  return { share: 'burst', dueAt: oldest.at + BURST_LIMIT.ms };
}

/**
 * Returns null if neither the person nor their guild has used up their part of the budget. `newcomers`: keep a part for
 * guilds that may come.
 */
function partUsed(
  charges: readonly Charge[],
  asker: Asker,
  budget: SharedBudget,
  newcomers: boolean,
): Refusal | null {
  const { limit, spent, remaining } = budget;
  // Even the smallest budget leaves each person one look-up.
  const part = Math.max(1, Math.floor(limit * PERSON_SHARE));
  const person = refuseBeyond(ofPerson(charges, asker), part, 'person', countedMs(budget));
  if (person !== null) return person;

  // Look-ups that still wait for their permits count as well: a crowd comes all at once.
  const people = Math.max(spent.interactive, costOf(charges));
  const available = Math.min(limit - people - spent.background, remaining ?? limit);
  if (available >= limit * SCARCE_SHARE) return null;
  const guild = ofGuild(charges, asker);
  // If nothing is left, there is nothing to keep, and the budget says why.
  if (newcomers && available > 0 && available <= limit * NEWCOMER_SHARE)
    return refuseBeyond(guild, Math.max(1, limit * MIN_SHARE), 'guild', countedMs(budget));
  const guilds = new Set([asker.guildId]);
  for (const charge of charges) guilds.add(charge.asker.guildId);
  if (guilds.size === 1) return null;
  // Requests that people have used and can still use, without pollers and other users of the key.
  const peopleBudget = people + Math.max(0, available);
  return refuseBeyond(guild, Math.max(1, peopleBudget / guilds.size), 'guild', countedMs(budget));
}

/** Returns null for look-ups that have not used up their part; else the refusal until enough of it is free again. */
function refuseBeyond(
  charges: readonly Charge[],
  part: number,
  share: Share,
  spanMs: number,
): Refusal | null {
  let counted = costOf(charges);
  if (counted < part) return null;
  for (const { at, cost } of charges) {
    counted -= cost;
    if (counted < part) return { share, dueAt: at + spanMs };
  }
  return null;
}

interface FairShareSettings {
  /** Look-ups are timed by the monotonic clock, so that a step of the wall clock locks nobody out. */
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  /** May reject; then the last known value is used. */
  readonly ledger: { snapshot(): Promise<SharedBudget> };
  /** A part of the budget is kept for guilds that have hardly asked: not where the bot serves a single one. */
  readonly newcomers: boolean;
}

/** Assumed until the ledger is read. */
const UNREAD_BUDGET: SharedBudget = {
  limit: CLIENT_KEY.requests,
  windowMs: CLIENT_KEY.windowMs,
  spent: { interactive: 0, background: 0 },
  remaining: null,
};

/**
 * Lets nobody take more than a fair part of the budget. A person may make five look-ups in 30 s and use a tenth of
 * the budget; while little is left, a guild may use an even part of it, and the last of it is for guilds that have hardly
 * asked. The layer stands below the cache and the deduplication, so cached answers are free and a shared request is charged
 * to one person. The bot's own calls pass. Refuses with an `over-budget` that names the share.
 */
export function createFairShare({ clock, ledger, newcomers }: FairShareSettings): (next: Layer) => Layer {
  /** Oldest first. No more than there are permits and calls that wait for one: one that was not sent is taken back. */
  let charges: readonly Charge[] = [];
  let budget = UNREAD_BUDGET;

  function refuse({ endpoint }: Call, { share, dueAt }: Refusal, now: number): ServiceError {
    const retryAt = clock.now() + Math.ceil(dueAt - now);
    const detail = `the share is used up: ${share}`;
    return new ServiceError('over-budget', { endpoint, sent: 'no', share, retryAt, detail });
  }

  /** Throws if the asker's share is used up; otherwise records the look-up. */
  async function enter(call: Call, asker: Asker): Promise<Charge> {
    // First without the ledger, so that a flood stops here.
    const burstRefusal = burst(charges, asker, clock.monotonic());
    if (burstRefusal !== null) throw refuse(call, burstRefusal, clock.monotonic());
    // While the ledger is unavailable, the budget layer decides what may be sent.
    budget = await ledger.snapshot().catch(() => budget);
    const now = clock.monotonic();
    const countedSince = now - countedMs(budget);
    charges = charges.filter(({ at }) => at > countedSince);
    const refusal = burst(charges, asker, now) ?? partUsed(charges, asker, budget, newcomers);
    if (refusal !== null) throw refuse(call, refusal, now);
    const charge = { asker, at: now, cost: 1 };
    charges = [...charges, charge];
    return charge;
  }

  return (next) => {
    async function charged(call: Call, asker: Asker): Promise<Fetched> {
      const charge = await enter(call, asker);
      try {
        return await next(call);
      } catch (error) {
        if (error instanceof ServiceError && error.sent === 'no')
          charges = charges.filter((other) => other !== charge);
        // A request that failed in a way that may pass was sent twice.
        else if (error instanceof ServiceError && error.transient) charge.cost += 1;
        throw error;
      }
    }

    return (call) =>
      call.keyed && call.priority === 'interactive' && call.asker !== undefined
        ? charged(call, call.asker)
        : next(call);
  };
}
