import type { RateReport } from '../../../errors.ts';
import type { Priority } from '../../endpoints.ts';
import { admit, leftByHeaders, type Reason, reserve } from '../admission.ts';
import { foreignUse, type Limit } from '../estimate.ts';
import { learn, learnRefusal } from '../learn.ts';
import type { Book, Change, Page, Permit } from './ledger-store.ts';

/** A permit to send one request now, or how many milliseconds to wait before asking again, and why. */
export type Decision = (
  | { readonly permit: Permit }
  | { readonly permit: null; readonly reason: Reason; readonly waitMs: number }
) & { readonly limit: Limit };

/**
 * What became of the request.
 * - `unsent`: it certainly never left. `doubtful`: nobody knows, so it keeps counting.
 * - `answered`: with whatever the answer says of the budget. `refused`: the service says we are over the limit.
 */
export type Outcome =
  | { readonly kind: 'unsent' }
  | { readonly kind: 'doubtful' }
  | { readonly kind: 'answered'; readonly rate: RateReport | null }
  | { readonly kind: 'refused'; readonly rate: RateReport | null };

/** The key's budget as it stands. Spans of time are in milliseconds from now. */
export interface BudgetSnapshot {
  readonly limit: number;
  readonly windowMs: number;
  /** Permits in force, by who asked. */
  readonly spent: Readonly<Record<Priority, number>>;
  /** What background requests leave to people. */
  readonly reserve: number;
  /** What others seem to spend on this key within a window. */
  readonly foreign: number;
  /** What the service itself still leaves us, by the lowest reading; null where it does not say. */
  readonly remaining: number | null;
  /** Until the first permit in force stops to count; null where there is none. */
  readonly nextReleaseMs: number | null;
  /** How often the service has refused us since the ledger began. */
  readonly refusals: number;
  /** Until the gate opens again; 0 when it is open. */
  readonly closedMs: number;
}

/** Who may send when. Rejects only when the book behind it is away: then nothing may be sent. */
export interface Ledger {
  /** `flightMs`: the longest time until the request can no longer reach the service. */
  take(kind: Priority, flightMs: number): Promise<Decision>;
  /** Answers for how long the gate is closed now (0: open) and whether this closed it. */
  settle(
    permit: Permit,
    outcome: Outcome,
  ): Promise<{ readonly closedMs: number; readonly closedNow: boolean }>;
  snapshot(): Promise<BudgetSnapshot>;
  close(): Promise<void>;
}

/** The rules over a book. `headroom`: requests of the limit that are never spent. */
export function createLedger(book: Book, { headroom }: { readonly headroom: number }): Ledger {
  return {
    take: (kind, flightMs) => book.turn((page) => decide(kind, flightMs, headroom, page)),
    settle: (permit, outcome) => book.turn((page) => conclude(permit, outcome, page)),
    snapshot: () => book.turn((page) => ({ change: null, result: describe(page) })),
    close: () => book.close(),
  };
}

/** How long the others wait for a probe whose process has died. An answer takes no longer than the transport's 8 s. */
const PROBE_MS = 10_000;

function decide(
  kind: Priority,
  flightMs: number,
  headroom: number,
  page: Page,
): { change: Change | null; result: Decision } {
  const { now, standing } = page;
  const { limit } = standing;
  const admission = admit(kind, page, headroom);
  if (!admission.granted) {
    const { reason, retryAt } = admission;
    return { change: null, result: { permit: null, reason, waitMs: retryAt - now, limit } };
  }
  const permit = { id: standing.seq + 1, kind, takenAt: now };
  const flightEnd = now + flightMs;
  const probe = admission.probe
    ? { permit: permit.id, until: now + Math.min(flightMs, PROBE_MS) }
    : standing.probe;
  return {
    change: { standing: { ...standing, seq: permit.id, probe }, enter: { permit, flightEnd } },
    result: { permit, limit },
  };
}

function conclude(
  permit: Permit,
  outcome: Outcome,
  { now, standing, counts }: Page,
): { change: Change; result: { closedMs: number; closedNow: boolean } } {
  const closedMs = Math.max(0, standing.closedUntil - now);
  const open = { closedMs, closedNow: false };
  if (outcome.kind === 'unsent' || outcome.kind === 'doubtful') {
    const probe = standing.probe?.permit === permit.id ? null : standing.probe;
    const freed = { standing: { ...standing, probe } };
    return { change: outcome.kind === 'unsent' ? { ...freed, remove: permit } : freed, result: open };
  }

  const seq = standing.seq + 1;
  const answer = { permit, seq, at: now };
  const heard = { permit, rate: outcome.rate };
  if (outcome.kind === 'answered')
    return { change: { standing: { ...learn(standing, heard, counts, now), seq }, answer }, result: open };
  const refused = { ...learnRefusal(standing, heard, counts, now), seq };
  const result = { closedMs: refused.closedUntil - now, closedNow: closedMs === 0 };
  return { change: { standing: refused, answer }, result };
}

function describe(page: Page): BudgetSnapshot {
  const { now, standing, counts } = page;
  const left = leftByHeaders(page);
  return {
    limit: standing.limit.requests,
    windowMs: standing.limit.windowMs,
    spent: { interactive: counts.interactive, background: counts.background },
    reserve: Math.round(reserve(standing.limit)),
    foreign: Math.round(foreignUse(standing, now)),
    remaining: left === null ? null : Math.max(0, left),
    nextReleaseMs: counts.nextRelease === null ? null : Math.max(0, counts.nextRelease - now),
    refusals: standing.refusals,
    closedMs: Math.max(0, standing.closedUntil - now),
  };
}
