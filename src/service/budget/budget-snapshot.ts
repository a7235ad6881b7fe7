import type { Priority } from '../endpoints.ts';
import type { Reason } from './admission.ts';

/**
 * The key's budget as it stands. Spans of time are in milliseconds from now. The figures add up:
 * `spent` + `otherUsage` + `heldBack` + `available` is the limit, unless more was spent before the limit was lowered.
 */
export interface BudgetSnapshot {
  readonly limit: number;
  readonly windowMs: number;
  /** Permits in force, by who asked. */
  readonly spent: Readonly<Record<Priority, number>>;
  /** Requests that others seem to spend on this key within a window. */
  readonly otherUsage: number;
  /**
   * Not known to be spent, yet not available: the service grants less than its limit without saying who has the
   * rest, and a few requests are left to other users of the key.
   */
  readonly heldBack: number;
  readonly available: number;
  /** Part of `available` that the background may use; the rest is reserved for people. */
  readonly availableToBackground: number;
  /** Time until one more request may be sent, and what it waits for; `reason` null: now. */
  readonly next: Readonly<Record<Priority, { readonly waitMs: number; readonly reason: Reason | null }>>;
  /** A stricter limit stated by one answer, obeyed until it is confirmed or expires; null: none. */
  readonly trial: { readonly limit: number; readonly windowMs: number; readonly endsMs: number } | null;
  /** Requests left according to the service, by the lowest reading; null if it does not say. */
  readonly remaining: number | null;
  /** Time until the first permit in force stops counting; null where there is none. */
  readonly nextReleaseMs: number | null;
  /** How often the service has refused us since the ledger began. */
  readonly refusals: number;
  /** Time until requests may be sent again after a refusal; 0 when they may. */
  readonly closedMs: number;
}
