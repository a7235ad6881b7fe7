import type { Clock } from '../base/clock.ts';
import { createLately } from '../base/lately.ts';
import type { Runtime } from '../base/runtime.ts';
import type { History } from '../service/models/history.ts';
import { sameSpelling } from '../service/models/identifiers.ts';
import type { HistoryChunks, HistoryCopy } from '../store/history-chunks.ts';
import { createForgetDriver } from './forget-driver.ts';
import { createLookUps, type LookUps } from './look-ups.ts';
import { createQuestions } from './questions.ts';

/** What the bot remembers about drivers. */
export interface DriverHistory {
  readonly history: History;
  /** What was known at that moment (unix milliseconds). */
  readonly pastAt: (at: number) => History;
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
    pastAt: (at) => createQuestions({ chunks, clock: { now: () => at }, isHidden }),
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

/**
 * How old an answer may be, in ms: the recorder writes once a minute, and what another process hides or deletes is
 * known within one.
 */
const MOST_AGE = 30_000;
/** Drivers, of about half a kilobyte each; beside them one rank for each driver of the week. */
const MOST_DRIVERS = 500;

interface Remembered {
  readonly history: History;
  /** To be called when a driver was hidden, shown or deleted: nothing from before is told any more. */
  forget(): void;
}

/** Remembers what every profile asks: with a full history, two milliseconds for each. */
function rememberProfiles(history: History, clock: Pick<Clock, 'monotonic'>): Remembered {
  const of = <Key extends keyof History>(most: number) =>
    createLately<string, Awaited<ReturnType<History[Key]>>>(clock, MOST_AGE, most);
  const ranks = of<'bestRanks'>(1);
  const open = of<'openSessions'>(MOST_DRIVERS);
  const earlier = of<'earlierReading'>(MOST_DRIVERS);
  return {
    history: {
      ...history,
      bestRanks: () => ranks.of('week', () => history.bestRanks()),
      openSessions: (username) => open.of(sameSpelling(username), () => history.openSessions(username)),
      earlierReading: (username) =>
        earlier.of(sameSpelling(username), () => history.earlierReading(username)),
    },
    forget() {
      ranks.clear();
      open.clear();
      earlier.clear();
    },
  };
}
