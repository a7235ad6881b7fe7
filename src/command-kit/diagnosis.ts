/** The bot's state, as `/diagnose` shows it. */

import type { ListedBoard } from '../cards/board/board.ts';
import type { BudgetSnapshot } from '../service/budget/budget-snapshot.ts';
import type { SourceStatistics } from '../service/models/source-statistics.ts';

/** A bug. Its message stays in the log, under this id. */
export interface Bug {
  readonly id: string;
  readonly command: string;
  /** The error's name, such as TypeError. */
  readonly kind: string;
  /** Unix milliseconds. */
  readonly at: number;
}

export interface Diagnosis {
  readonly version: string;
  /** Unix milliseconds. */
  readonly startedAt: number;
  /** Gateway latency in ms; null until it is measured. */
  readonly latencyMs: number | null;
  /** How far this machine's clock is ahead of Discord's, in ms; null while it is not known. */
  readonly clockSkewMs: number | null;
  readonly sources: readonly SourceStatistics[];
  /** Keyed calls since the start, and how many of them cost no request. */
  readonly cache: { readonly asked: number; readonly kept: number };
  /** Health of the store. */
  readonly store: { readonly saves: boolean; readonly hasHistory: boolean };
  /** The latest, newest first. */
  readonly bugs: readonly Bug[];
  /** Null while unknown. */
  readonly budget: BudgetSnapshot | null;
  /** Boards of one guild. */
  readonly boards: readonly ListedBoard[];
}
