/** The bot's health, for its administrators. */

import type { Clock } from '../base/clock.ts';
import type { Bug, Diagnosis } from '../command-kit/diagnosis.ts';
import type { BudgetSnapshot } from '../service/budget/budget-snapshot.ts';
import type { Bot } from './bot.ts';

const MAX_BUGS = 5;

/** The parts that are diagnosed. */
interface Parts extends Pick<Bot, 'storeHealth'> {
  readonly connection: Pick<Bot['connection'], 'latency' | 'clockSkew'>;
  readonly dataService: {
    readonly calls: Pick<Bot['dataService']['calls'], 'sources' | 'cache'>;
    readonly ledger: Pick<Bot['dataService']['ledger'], 'snapshot'>;
  };
  readonly boards: Pick<Bot['boards'], 'list'>;
}

export function createHealth(
  { storeHealth, connection, dataService: { calls, ledger }, boards }: Parts,
  { clock, version }: { readonly clock: Pick<Clock, 'now'>; readonly version: string },
) {
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
    async diagnose(guildId: string | null): Promise<Diagnosis> {
      const { writes, history } = storeHealth();
      return {
        boards: guildId === null ? [] : await boards.list(guildId),
        version,
        startedAt,
        latencyMs: connection.latency(),
        clockSkewMs: connection.clockSkew(),
        sources: calls.sources(),
        cache: calls.cache(),
        bugs: [...bugs],
        budget: await budget(),
        store: { saves: writes === null, hasHistory: history === null },
      };
    },
  };
}
