import type { Clock } from '../../base/clock.ts';
import { ServiceError } from '../../base/errors.ts';
import type { Call, Fetched, Layer } from '../call.ts';
import type { Permit } from './ledger/ledger-store.ts';
import { noPermit } from './no-permit.ts';
import { PLACE, type Queue } from './permit-queue.ts';
import type { Permits } from './permits.ts';

/** How long a request with a permit may wait for a connection: as long as one request takes at most. */
const CONNECT_PATIENCE_MS = 9000;
/** From the permit to the latest time at which the request can reach the service; the transport gives up after 8 s. */
export const FLIGHT_MS = CONNECT_PATIENCE_MS + 9000;

interface SendSettings {
  readonly clock: Clock;
  readonly permits: Permits;
  readonly network: Queue;
  readonly next: Layer;
  /** Called once per refusal by the service, with the milliseconds for which nothing will be sent. */
  readonly onRefusal?: ((closedMs: number) => void) | undefined;
}

/**
 * Sends a call that has its permit, and settles the permit by the outcome. Resolves with a promise of the answer as
 * soon as the request is on the network or never will be, so that few permits wait for a connection.
 */
export function createSend(
  settings: SendSettings,
): (call: Call, permit: Permit) => Promise<{ readonly answer: Promise<Fetched> }> {
  const { clock, permits, network, next, onRefusal } = settings;

  async function request(call: Call, permit: Permit): Promise<Fetched> {
    try {
      const fetched = await next(call);
      void permits.settle(permit, { kind: 'answered', rate: fetched.rate });
      return { ...fetched, rate: null };
    } catch (error) {
      throw await settleFailure(error, permit);
    }
  }

  /** Returns the error to report. */
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
    const settled = await permits.settle(permit, { kind: 'refused', rate });
    if (settled === null) return error;
    if (settled.closedNow) onRefusal?.(settled.closedMs);
    const retryAt = clock.now() + settled.closedMs;
    const detail = 'refused by the service';
    return new ServiceError('over-budget', { endpoint, sent, retryAt, refusal: 'limit', detail });
  }

  return async (call, permit) => {
    const begun = Promise.withResolvers<{ readonly answer: Promise<Fetched> }>();
    const latest = clock.monotonic() + CONNECT_PATIENCE_MS;
    const place = permit.kind === 'interactive' ? PLACE.first : PLACE.last;
    void network.run(place, async () => {
      const isLate = clock.monotonic() > latest;
      const answer = isLate ? giveBack(call, permit) : request(call, permit);
      begun.resolve({ answer });
      await answer.catch(() => {});
    });
    return begun.promise;
  };

  async function giveBack(call: Call, permit: Permit): Promise<never> {
    await permits.settle(permit, { kind: 'unsent' });
    throw noPermit(call, { reason: 'connections', at: 0 }, clock.now());
  }
}
