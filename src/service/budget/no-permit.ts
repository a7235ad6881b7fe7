import { type Refusal, ServiceError } from '../../base/errors.ts';
import type { Call } from '../call.ts';
import type { Denial } from './permits.ts';

/**
 * The error for a call that got no permit in time, by why its class was last denied one. `reason` null: nobody in
 * its class was denied one, so it never got to ask. Times in unix milliseconds.
 */
export function noPermit(
  { endpoint, priority }: Call,
  { reason, at }: { readonly reason: Denial | 'dropped' | null; readonly at: number },
  now: number,
): ServiceError {
  const fail = (
    fault: ServiceError['fault'],
    detail: string,
    more: { readonly retryAt?: number; readonly refusal?: Refusal; readonly isStoreFull?: true } = {},
  ): ServiceError => new ServiceError(fault, { endpoint, sent: 'no', detail, ...more });
  switch (reason) {
    case 'ledger':
      return fail('store-away', 'the ledger is unavailable');
    case 'ledger-full':
      return fail('store-away', 'the ledger has no room left', { isStoreFull: true });
    case 'probe':
      // The budget is not the problem: the probe for how much is left has no answer.
      return fail('unavailable', 'the request that asks for the budget is not answered');
    case 'connections':
      return fail('no-turn', 'the connections are busy with requests that are not answered');
    case 'dropped':
      return fail('no-turn', 'no longer wanted');
    case null:
      // Pollers wait for the background pace; people wait only for slow answers.
      if (priority === 'interactive') return fail('no-turn', 'too many requests are ahead of it');
      return fail('over-budget', 'no permit in time: pace', { retryAt: now + 1000 });
    default: {
      const isRefused = reason === 'closed' || reason === 'headers';
      const retryAt = Math.max(at, now + 1000);
      const more = isRefused ? { retryAt, refusal: 'limit' as const } : { retryAt };
      return fail('over-budget', `no permit in time: ${reason}`, more);
    }
  }
}
