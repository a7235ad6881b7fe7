import type { Clock } from '../../clock.ts';
import { ServiceError } from '../../errors.ts';
import type { Asker, Call, Fetched, Layer } from '../call.ts';
import { type Charge, createAccounts } from './accounts.ts';
import { burst, heldMs, partUsed, type Refusal, type Whole } from './shares.ts';

export interface FairShareSettings {
  /** Look-ups are counted by the monotonic one, so that a step of the wall clock shuts nobody out. */
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  /** Rejects while nobody knows; then the last one known holds. */
  readonly whole: () => Promise<Whole>;
}

/** What a client's key has, until the first answer says something else. */
const CLIENT_KEY: Whole = {
  limit: 720,
  windowMs: 3_600_000,
  spent: { interactive: 0, background: 0 },
  remaining: null,
};

/**
 * Lets nobody take more than a fair part of the budget: a person five look-ups in half a minute and a tenth of the
 * budget; and while little is left, a guild no more than an even part of it. It stands below the cache and whatever
 * shares requests, so that what is known costs nobody anything, and what several share is charged to one of them.
 * What the bot asks for itself passes. Refuses with an `over-budget` that says whose share it is.
 */
export function createFairShare({ clock, whole }: FairShareSettings): (next: Layer) => Layer {
  const accounts = createAccounts();
  let known = CLIENT_KEY;

  function refuse({ endpoint }: Call, { share, due }: Refusal, now: number): ServiceError {
    const retryAt = clock.now() + Math.ceil(due - now);
    const detail = `the share is used up: ${share}`;
    return new ServiceError('over-budget', { endpoint, sent: 'no', share, retryAt, detail });
  }

  /** Throws where the asker has had their share, else enters the look-up. */
  async function enter(call: Call, asker: Asker): Promise<Charge> {
    // First without the ledger: a flood ends here.
    const early = burst(accounts, asker, clock.monotonic());
    if (early !== null) throw refuse(call, early, clock.monotonic());
    // Where it is away, whether anything may be sent is for the budget to say.
    known = await whole().catch(() => known);
    const now = clock.monotonic();
    accounts.forget(now - heldMs(known));
    const refusal = burst(accounts, asker, now) ?? partUsed(accounts, asker, known);
    if (refusal !== null) throw refuse(call, refusal, now);
    const charge = { asker, at: now, cost: 1 };
    accounts.enter(charge);
    return charge;
  }

  return (next) => {
    async function charged(call: Call, asker: Asker): Promise<Fetched> {
      const charge = await enter(call, asker);
      try {
        return await next(call);
      } catch (error) {
        if (error instanceof ServiceError && error.sent === 'no') accounts.remove(charge);
        else if (error instanceof ServiceError && error.transient) accounts.addCost(charge);
        throw error;
      }
    }

    return (call) =>
      call.keyed && call.priority === 'interactive' && call.asker !== undefined
        ? charged(call, call.asker)
        : next(call);
  };
}
