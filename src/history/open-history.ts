import type { Runtime } from '../base/runtime.ts';
import type { HistoryChunks, HistoryCopy } from '../store/history-chunks.ts';
import { createForgetDriver } from './forget-driver.ts';
import type { History } from './history.ts';
import { createLookUps, type LookUps } from './look-ups.ts';
import { createQuestions } from './questions.ts';
import { rememberProfiles } from './remembered.ts';

/** What the bot remembers about drivers. */
export interface DriverHistory {
  readonly history: History;
  readonly lookUps: LookUps;
  readonly forgetDriver: ReturnType<typeof createForgetDriver>;
}

interface HistoryStore {
  readonly history: HistoryChunks;
  /** Those that stand beside it now. */
  historyCopies(): readonly HistoryCopy[];
}

/** Drivers whom it must not show, and those whom a person has linked. */
interface Drivers {
  isHidden(username: string): boolean;
  isLinked(username: string): boolean;
  /** `changed` is called each time that others are hidden than before. */
  onChange(changed: () => void): void;
}

export function openHistory(
  { history: chunks, historyCopies }: HistoryStore,
  { isHidden, isLinked, onChange }: Drivers,
  { clock, log }: Runtime,
): DriverHistory {
  const { history, forget } = rememberProfiles(createQuestions({ chunks, clock, isHidden }), clock);
  onChange(forget);
  return {
    history,
    lookUps: createLookUps({ chunks, clock, isHidden, isLinked }),
    forgetDriver: createForgetDriver({
      chunks,
      copies: historyCopies,
      deleted: forget,
      unreached: (copy, error) =>
        log.error({ copy, err: error }, 'a driver was deleted, but not from this copy: delete it'),
    }),
  };
}
