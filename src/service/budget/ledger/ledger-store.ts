import type { Priority } from '../../endpoints.ts';
import type { QuotaEstimate } from '../estimate.ts';

/** Added to the window, since the service's clock and ours may differ in speed. */
export const MARGIN_MS = 1000;

/** Totals over the permits in the store. Times are the store's. */
export interface Counts {
  /** Permits in force: those that the service may still be counting. */
  readonly interactive: number;
  readonly background: number;
  /** Interactive permits taken within the last window, and within its last quarter. */
  readonly interactiveLately: number;
  readonly interactiveQuarter: number;
  /** Permits that the answer behind the bound may not have counted: under way with it, or taken later. */
  readonly uncounted: number;
  /** Permits whose answer may still come. */
  readonly inFlight: number;
  /** Permits in force that were counted since the window of the bound began; all where that is not known. */
  readonly sinceReset: number;
  /** When the first permit in force stops counting, of all and of the background ones. */
  readonly nextRelease: number | null;
  readonly nextBackgroundRelease: number | null;
  readonly lastBackgroundAt: number | null;
}

/** One permit. Its `id` is also its position in the order of permits and answers. */
export interface Permit {
  readonly id: number;
  readonly kind: Priority;
  readonly takenAt: number;
}

export interface LedgerSnapshot {
  readonly now: number;
  readonly estimate: QuotaEstimate;
  readonly counts: Counts;
}

/** Written atomically. */
export interface Change {
  readonly estimate: QuotaEstimate;
  /** A new permit, and the latest time at which its request can reach the service. */
  readonly enter?: { readonly permit: Permit; readonly flightEnd: number };
  /** A permit that was answered. If the store has lost it meanwhile, it is added again. */
  readonly answer?: { readonly permit: Permit; readonly seq: number; readonly at: number };
  /** A permit whose request certainly never left. */
  readonly remove?: Permit;
}

/** Store of permits. */
export interface LedgerStore {
  /**
   * Reads, decides and writes atomically, across processes. `durable`: what is written survives a power cut, not only the end
   * of the process. Rejects when the store is unavailable.
   */
  transaction<Result>(
    decide: (snapshot: LedgerSnapshot) => { readonly change: Change | null; readonly result: Result },
    durable: boolean,
  ): Promise<Result>;
}
