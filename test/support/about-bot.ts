import { createHealth } from '../../src/bot/health.ts';
import { type BoardOptions, type ListedBoard, newBoardOptions } from '../../src/cards/board/board.ts';
import type { Context } from '../../src/command-kit/context.ts';
import type { Diagnosis } from '../../src/command-kit/diagnosis.ts';
import type { BudgetSnapshot } from '../../src/service/budget/budget-snapshot.ts';
import { createCallStatistics } from '../../src/service/call-statistics.ts';
import { NOON } from './records.ts';
import { createTranslators } from './translators.ts';

const translatorFor = createTranslators();

export const quietBudget: BudgetSnapshot = {
  limit: 720,
  windowMs: 3_600_000,
  spent: { interactive: 0, background: 0 },
  otherUsage: 0,
  heldBack: 0,
  available: 720,
  availableToBackground: 600,
  next: { interactive: { waitMs: 0, reason: null }, background: { waitMs: 0, reason: null } },
  trial: null,
  remaining: null,
  nextReleaseMs: null,
  refusals: 0,
  closedMs: 0,
};

/** What a command may know of the bot itself: one that has just been started and was asked nothing. */
export function aboutBot(changes: Partial<Context['bot']> = {}): Context['bot'] {
  const { budget, diagnose } = createHealth(
    {
      dataService: {
        calls: createCallStatistics({ now: Date.now }),
        ledger: { snapshot: async () => quietBudget },
      },
      connection: { latency: () => null, clockSkew: () => null },
      storeHealth: () => ({ writes: null, history: null }),
      boards: { list: async () => [] },
    },
    { clock: { now: Date.now }, version: '0.0.0' },
  );
  return {
    translatorFor,
    budget,
    diagnose,
    commands: [],
    commandId: () => null,
    readmeUrl: null,
    ...changes,
  };
}

export function listedBoard(
  channelId: string,
  changes: Partial<ListedBoard> = {},
  options: Partial<BoardOptions> = {},
): ListedBoard {
  return {
    settings: {
      ...{ guildId: '7', channelId, madeBy: '1', locale: 'en', colours: true, madeAt: NOON, removed: false },
      options: { ...newBoardOptions, ...options },
    },
    ...{ mode: 'live', isPosted: true, paused: null, lastEdit: null, checked: null, errors: [] },
    access: { kind: 'open' },
    ...changes,
  };
}

/** One that is well, one without its permissions, one whose channel is gone. */
export const diagnosedBoards: Diagnosis['boards'] = [
  listedBoard('11'),
  listedBoard('12', { access: { kind: 'missing', rights: ['SendMessages', 'EmbedLinks'] } }),
  listedBoard('13', { access: { kind: 'unknown-channel' } }),
];
