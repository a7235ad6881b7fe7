/** The bot's health, for its administrators. */

import type { Clock } from '../base/clock.ts';
import type { BoardRequests } from '../board/board-requests.ts';
import type { Bug, Diagnosis } from '../cards/about/diagnosis-card.ts';
import type { CallStatistics } from '../service/call-statistics.ts';
import type { BudgetSnapshot } from '../service/models/budget-snapshot.ts';

const MAX_BUGS = 5;

export function createHealth({
  clock,
  version,
  calls,
  latency,
  clockSkew,
  ledger,
  boards,
  store,
}: {
  readonly clock: Pick<Clock, 'now'>;
  readonly version: string;
  readonly calls: Pick<CallStatistics, 'sources' | 'cache'>;
  /** Gateway latency in ms; null until it is measured. */
  readonly latency: () => number | null;
  /** How far this machine's clock is ahead of Discord's, in ms; null while it is not known. */
  readonly clockSkew: () => number | null;
  readonly ledger: { snapshot(): Promise<BudgetSnapshot> };
  readonly boards: Pick<BoardRequests, 'list'>;
  readonly store: () => Diagnosis['store'];
}) {
  const startedAt = clock.now();
  const bugs: Bug[] = [];

  /** Null while the ledger is unavailable. */
  async function budget(): Promise<BudgetSnapshot | null> {
    try {
      return await ledger.snapshot();
    } catch {
      return null;
    }
  }

  return {
    onBug(bug: Omit<Bug, 'at'>): void {
      bugs.unshift({ ...bug, at: clock.now() });
      bugs.splice(MAX_BUGS);
    },
    budget,
    /** Returns the diagnosis, with the boards of that guild. */
    diagnose: async (guildId: string | null): Promise<Diagnosis> => ({
      boards: guildId === null ? [] : await boards.list(guildId),
      version,
      startedAt,
      latencyMs: latency(),
      clockSkewMs: clockSkew(),
      sources: calls.sources(),
      cache: calls.cache(),
      bugs: [...bugs],
      budget: await budget(),
      store: store(),
    }),
  };
}
