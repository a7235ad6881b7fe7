import type { Clock } from '../base/clock.ts';
import type { Ledger } from '../service/budget/ledger/ledger.ts';
import { openEmbeddedLedger, openSharedLedger } from '../service/budget/ledger/open.ts';
import type { StoreProbe } from '../store/store-probe.ts';

/** The ledger of a bot that may be running, so that a tool's requests count as well; null where it has none yet. */
export function ledgerOf({ ledger }: Pick<StoreProbe, 'ledger'>, clock: Clock): Ledger | null {
  switch (ledger?.kind) {
    case 'file':
      return openEmbeddedLedger({ file: ledger.file, clock });
    case 'shared':
      return openSharedLedger(ledger);
    case undefined:
      return null;
  }
}
