import type { Priority } from '../../endpoints.ts';
import type { QuotaEstimate } from '../estimate.ts';

/** A second more than the window: the service's clock and ours need not tick together. */
export const MARGIN_MS = 1000;

/** What the permits in the store add up to. Times are the store's. */
export interface Counts {
  /** Permits in force: those that the service may still be counting. */
  readonly interactive: number;
  readonly background: number;
  /** Interactive permits taken within the last window, and within its last quarter. */
  readonly interactiveLately: number;
  readonly interactiveQuarter: number;
  /** Permits that the answer behind the bound may not have counted: under way with it, or taken since. */
  readonly uncounted: number;
  /** Permits whose answer may still come. */
  readonly inFlight: number;
  /** Permits in force that were counted since the window of the bound began; all where that is not known. */
  readonly sinceReset: number;
  /** When the first permit in force stops to count, of all and of the background ones. */
  readonly nextRelease: number | null;
  readonly nextBackgroundRelease: number | null;
  readonly lastBackgroundAt: number | null;
}

/** One permit. Its `id` is also its place in the order of permits and answers. */
export interface Permit {
  readonly id: number;
  readonly kind: Priority;
  readonly takenAt: number;
}

/** The store as it is now. */
export interface LedgerSnapshot {
  readonly now: number;
  readonly estimate: QuotaEstimate;
  readonly counts: Counts;
}

/** What to write: all of it or nothing. */
export interface Change {
  readonly estimate: QuotaEstimate;
  /** A new permit, and the last moment at which its request can reach the service. */
  readonly enter?: { readonly permit: Permit; readonly flightEnd: number };
  /** A permit that was answered; one that the store has lost meanwhile is entered again. */
  readonly answer?: { readonly permit: Permit; readonly seq: number; readonly at: number };
  /** A permit whose request certainly never left. */
  readonly remove?: Permit;
}

/** Where permits are kept. What has been written outlives the process. */
export interface LedgerStore {
  /**
   * Reads, decides and writes as one step that no other process can get between. `decide` may be called again
   * when another process was quicker, so it must not do anything but decide. Rejects when the store is away.
   */
  transaction<Result>(
    decide: (snapshot: LedgerSnapshot) => { readonly change: Change | null; readonly result: Result },
  ): Promise<Result>;
  close(): Promise<void>;
}
