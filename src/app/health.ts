/** The bot's health, for its administrators. */

import type { Clock } from '../base/clock.ts';
import type { BudgetFigures } from '../cards/about/budget-card.ts';
import type { BoardPlace, Bug, Diagnosis } from '../cards/about/diagnosis-card.ts';
import type { CallStatistics } from '../service/call-statistics.ts';

export interface HealthSettings {
  readonly clock: Pick<Clock, 'now'>;
  readonly version: string;
  readonly calls: Pick<CallStatistics, 'sources' | 'cache'>;
  /** Gateway latency in ms; null until it is measured. */
  readonly latency: () => number | null;
  readonly budget: () => Promise<BudgetFigures>;
  readonly boards: (guildId: string) => Promise<readonly BoardPlace[]>;
}

export interface Health {
  onBug(bug: Omit<Bug, 'at'>): void;
  /** Null while the ledger is unavailable. */
  budget(): Promise<BudgetFigures | null>;
  /** With the boards of that guild. */
  diagnose(guildId: string | null): Promise<Diagnosis>;
}

const BUGS = 5;

export function createHealth({ clock, version, calls, latency, ...read }: HealthSettings): Health {
  const startedAt = clock.now();
  const bugs: Bug[] = [];

  async function budget(): Promise<BudgetFigures | null> {
    try {
      return await read.budget();
    } catch {
      return null;
    }
  }

  return {
    onBug(bug) {
      bugs.unshift({ ...bug, at: clock.now() });
      bugs.splice(BUGS);
    },
    budget,
    diagnose: async (guildId) => ({
      boards: guildId === null ? [] : await read.boards(guildId),
      version,
      startedAt,
      latencyMs: latency(),
      sources: calls.sources(),
      cache: calls.cache(),
      bugs: [...bugs],
      budget: await budget(),
    }),
  };
}
