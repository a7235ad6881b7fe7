import { type Clock, resolveWithin } from '../../base/clock.ts';
import { resultCode, SQLITE_BUSY, SQLITE_FULL, StoreError } from '../../base/errors.ts';
import { createOutage } from '../../base/outage.ts';
import type { Priority } from '../endpoints.ts';
import type { Reason } from './admission.ts';
import type { Ledger, Outcome } from './ledger/ledger.ts';
import type { Permit } from './ledger/ledger-store.ts';

/** Reason why a call has no permit: the ledger's own, an unavailable ledger, a full disk, or busy connections. */
export type Denial = Reason | 'ledger' | 'ledger-full' | 'connections';

/** Pause between attempts while the ledger is unavailable. */
const LEDGER_PAUSE_MS = 500;

/** The ledger as the budget layer uses it: it never rejects, and callers waiting for a permit sleep here. */
export function createPermits(settings: {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly flightMs: number;
  readonly onLedger?: ((state: 'away' | 'back', cause?: unknown) => void) | undefined;
}) {
  const { ledger, clock, flightMs, onLedger } = settings;
  /** True: may be woken early. */
  const sleepers = new Map<() => void, boolean>();
  const outage = createOutage(
    (error) => onLedger?.('away', error),
    () => onLedger?.('back'),
  );

  return {
    /** The ledger's decision; `limit` is null where the ledger is unavailable. */
    take: (kind: Priority) =>
      outage.attempt(
        () => ledger.take(kind, flightMs),
        (error) => ({
          permit: null,
          reason: isFull(error) ? ('ledger-full' as const) : ('ledger' as const),
          limit: null,
          waitMs: mayPass(error) ? LEDGER_PAUSE_MS : Number.POSITIVE_INFINITY,
        }),
      ),
    /** Null where the ledger is unavailable: an unsettled permit keeps counting, which errs on the safe side. */
    async settle(permit: Permit, outcome: Outcome) {
      const settled = await outage.attempt(
        () => ledger.settle(permit, outcome),
        () => null,
      );
      for (const [awaken, early] of sleepers) if (early || outcome.kind === 'unsent') awaken();
      return settled;
    },
    /** `early`: an answer under way may end the wait early. */
    async sleep(ms: number, early: boolean): Promise<void> {
      const { promise: awoken, resolve: awaken } = Promise.withResolvers<void>();
      sleepers.set(awaken, early);
      await resolveWithin(awoken, ms, clock);
      sleepers.delete(awaken);
    },
  };
}

/** While a caller waits: a lock and a lost connection pass; a disk that is full, fails or is read-only stays so. */
function mayPass(error: unknown): boolean {
  if (error instanceof StoreError) return error.trouble === 'away';
  const code = resultCode(error);
  return code === null || code === SQLITE_BUSY;
}

function isFull(error: unknown): boolean {
  return error instanceof StoreError ? error.trouble === 'full' : resultCode(error) === SQLITE_FULL;
}
