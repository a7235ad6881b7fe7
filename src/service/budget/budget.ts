import type { Clock } from '../../base/clock.ts';
import { ServiceError } from '../../base/errors.ts';
import type { Call, Fetched, Layer } from '../call.ts';
import type { Ledger } from './ledger/ledger.ts';
import { createPermitQueue, createQueues, PLACE } from './permit-queue.ts';
import { createPermits } from './permits.ts';
import { createSend, FLIGHT_MS } from './send.ts';

export interface BudgetSettings {
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** Called once per refusal by the service, with the milliseconds for which nothing will be sent. */
  readonly onRefusal?: (closedMs: number) => void;
  /** Called when the ledger becomes unavailable, so that nothing is sent, with the cause; and when it is back. */
  readonly onLedger?: (state: 'away' | 'back', cause?: unknown) => void;
}

/**
 * Sends keyed calls when the key's budget allows, people first. A call that gets no permit in time is rejected with
 * the reason. Retries once after a failure that may pass, with a permit of its own. Does not deduplicate: see
 * {@link Call.onProgress} for two calls with one cache key.
 */
export function createBudget(settings: BudgetSettings): (next: Layer) => Layer {
  const { clock } = settings;
  const permits = createPermits({ ...settings, flightMs: FLIGHT_MS });

  return (next) => {
    const queues = createQueues();
    const send = createSend({ ...settings, permits, network: queues.network, next });
    const permitQueue = createPermitQueue({ clock, permits, queues });

    /** `failure`: of the previous attempt; reported if this one gets no permit. */
    async function attempt(call: Call, failure: ServiceError | null): Promise<Fetched> {
      const { promise, resolve, reject } = Promise.withResolvers<Fetched>();
      permitQueue.join(call, failure === null ? PLACE.first : PLACE.again, {
        granted: async (permit) => {
          call.onProgress?.('sent');
          const { answer } = await send(call, permit);
          resolve(answer);
        },
        givenUp: (why) => reject(failure ?? why),
      });
      return promise;
    }

    async function ask(call: Call): Promise<Fetched> {
      try {
        return await attempt(call, null);
      } catch (error) {
        if (!(error instanceof ServiceError && error.transient) || call.signal?.aborted) throw error;
        call.onProgress?.('waiting');
        return attempt(call, error);
      }
    }

    return (call) => (call.keyed ? ask(call) : next(call));
  };
}
