import type { Clock } from '../../base/clock.ts';
import { ServiceError } from '../../base/errors.ts';
import type { Call, Fetched, Layer } from '../call.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Permit } from './ledger/ledger-store.ts';
import { noPermit } from './no-permit.ts';
import { createPermitQueue, PLACE } from './permit-queue.ts';
import { createPermits } from './permits.ts';

/** Longest wait of a request with a permit for a connection: the longest time that one request takes. */
const CONNECT_TIMEOUT_MS = 9000;
/** From the permit to the latest time at which the request can reach the service; the transport gives up after 8 s. */
const FLIGHT_MS = CONNECT_TIMEOUT_MS + 9000;

/**
 * Sends keyed calls when the key's budget allows, people first. A call that gets no permit in time is rejected with
 * the reason. Retries once after a failure that may pass, with a permit of its own. Does not deduplicate: see
 * {@link Call.onProgress} for two calls with one cache key.
 */
export function createBudget(settings: {
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** Called when the ledger becomes unavailable, so that nothing is sent, with the cause; and when it is back. */
  readonly onLedger?: (state: 'away' | 'back', cause?: unknown) => void;
}): (next: Layer) => Layer {
  const { clock } = settings;
  const permits = createPermits({ ...settings, flightMs: FLIGHT_MS });

  /** Settles the permit of a call that failed, and returns the error to report. */
  async function settleFailure(error: unknown, permit: Permit): Promise<unknown> {
    if (!(error instanceof ServiceError) || error.sent === 'maybe') {
      await permits.settle(permit, { kind: 'doubtful' });
      return error;
    }
    const { endpoint, rate, sent, fault } = error;
    if (sent === 'no') {
      await permits.settle(permit, { kind: 'unsent' });
      return error;
    }
    if (fault !== 'over-budget') {
      await permits.settle(permit, { kind: 'answered', rate });
      return error;
    }
    const closedMs = await permits.settle(permit, { kind: 'refused', rate });
    if (closedMs === null) return error;
    const retryAt = clock.now() + closedMs;
    const detail = 'refused by the service';
    return new ServiceError('over-budget', { endpoint, sent, retryAt, refusal: 'limit', detail });
  }

  return (next) => {
    const { join, network } = createPermitQueue(clock, permits);

    /** `latest`: when it is too late to begin, by the monotonic clock. */
    async function request(call: Call, permit: Permit, latest: number): Promise<Fetched> {
      if (clock.monotonic() > latest) {
        await permits.settle(permit, { kind: 'unsent' });
        throw noPermit(call, { reason: 'connections', at: 0 }, clock.now());
      }
      try {
        const fetched = await next(call);
        void permits.settle(permit, { kind: 'answered', rate: fetched.rate });
        return { ...fetched, rate: null };
      } catch (error) {
        throw await settleFailure(error, permit);
      }
    }

    /**
     * Sends a call that has its permit, and settles the permit by the outcome. Resolves with a promise of the answer as
     * soon as the request is on the network or never will be, so that few permits wait for a connection.
     */
    function send(call: Call, permit: Permit): Promise<{ readonly answer: Promise<Fetched> }> {
      const start = Promise.withResolvers<{ readonly answer: Promise<Fetched> }>();
      const latest = clock.monotonic() + CONNECT_TIMEOUT_MS;
      const place = permit.kind === 'interactive' ? PLACE.first : PLACE.last;
      void network(place, async () => {
        const answer = request(call, permit, latest);
        start.resolve({ answer });
        await answer.catch(() => {});
      });
      return start.promise;
    }

    /** `failure`: of the previous attempt; reported if this one gets no permit. */
    async function attempt(call: Call, failure: ServiceError | null): Promise<Fetched> {
      const { promise, resolve, reject } = Promise.withResolvers<Fetched>();
      join(call, failure === null ? PLACE.first : PLACE.retry, {
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
