import type { Clock } from '../../base/clock.ts';
import { HOUR } from '../../base/duration.ts';
import { ServiceError } from '../../base/errors.ts';
import type { Asker, Call, Fetched, Layer } from '../call.ts';
import { type Charge, createAccounts } from './accounts.ts';
import { burst, heldMs, partUsed, type Refusal, type Whole } from './shares.ts';

interface FairShareSettings {
  /** Look-ups are timed by the monotonic clock, so that a step of the wall clock locks nobody out. */
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  /** May reject; then the last known value is used. */
  readonly ledger: { snapshot(): Promise<Whole> };
  /** Whether a part of the budget is kept for guilds that have hardly asked: not where the bot serves a single one. */
  readonly newcomers: boolean;
}

/** A client key's budget, assumed until the ledger is read. */
const CLIENT_KEY: Whole = {
  limit: 720,
  windowMs: HOUR,
  spent: { interactive: 0, background: 0 },
  remaining: null,
};

/**
 * Lets nobody take more than a fair part of the budget. A person may make five look-ups in 30 s and use a tenth of
 * the budget; while little is left, a guild may use an even part of it, and the last of it is for guilds that have hardly
 * asked. The layer stands below the cache and the
 * deduplication, so cached answers are free and a shared request is charged to one person. The bot's own calls
 * pass. Refuses with an `over-budget` that names the share.
 */
export function createFairShare({ clock, ledger, newcomers }: FairShareSettings): (next: Layer) => Layer {
  const accounts = createAccounts();
  let known = CLIENT_KEY;

  function refuse({ endpoint }: Call, { share, due }: Refusal, now: number): ServiceError {
    const retryAt = clock.now() + Math.ceil(due - now);
    const detail = `the share is used up: ${share}`;
    return new ServiceError('over-budget', { endpoint, sent: 'no', share, retryAt, detail });
  }

  /** Throws if the asker's share is used up; otherwise records the look-up. */
  async function enter(call: Call, asker: Asker): Promise<Charge> {
    // First without the ledger, so that a flood stops here.
    const early = burst(accounts, asker, clock.monotonic());
    if (early !== null) throw refuse(call, early, clock.monotonic());
    // While the ledger is unavailable, the budget layer decides what may be sent.
    known = await ledger.snapshot().catch(() => known);
    const now = clock.monotonic();
    accounts.forget(now - heldMs(known));
    const refusal = burst(accounts, asker, now) ?? partUsed(accounts, asker, known, newcomers);
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
