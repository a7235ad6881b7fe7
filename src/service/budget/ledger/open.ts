import type { Clock } from '../../../base/clock.ts';
import type { Sql } from '../../../base/sql.ts';
import { openDurableClock, serverClock } from './durable-clock.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { createLedgerStore } from './tables.ts';

/** The place of the ledger in the store, which has the tables of the ledger. */
export interface LedgerPlace {
  readonly ledger: Sql;
  /** Processes of several machines use it. */
  readonly isShared: boolean;
}

/** Never spent of a shared budget: a store that fails over can lose its last writes. */
const SHARED_HEADROOM = 4;

/** Opens the ledger of all processes that use the store. While that is unavailable, the ledger rejects and nothing is sent. */
export function openLedger({ ledger, isShared }: LedgerPlace, clock: Clock): Ledger {
  const store = createLedgerStore(ledger, isShared ? serverClock : openDurableClock(clock));
  return createLedger(store, { headroom: isShared ? SHARED_HEADROOM : 0 });
}
