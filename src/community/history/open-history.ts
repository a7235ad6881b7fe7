import type { Clock } from '../../base/clock.ts';
import { logFailures } from '../../base/log.ts';
import { createMutex } from '../../base/mutex.ts';
import type { Runtime } from '../../base/runtime.ts';
import { createTtlMemo } from '../../base/ttl-memo.ts';
import { sameSpelling } from '../../service/models/identifiers.ts';
import type { Stores } from '../../store/stores.ts';
import { createForgetDriver } from './forget-driver.ts';
import type { Coverage, History } from './history.ts';
import { createLookUps } from './look-ups.ts';
import { createOffers } from './offers.ts';
import { allCoverage, createQuestions } from './questions.ts';
import { createReadings } from './readings.ts';

/** Drivers whom it must not show. */
interface Drivers {
  isHidden(username: string): boolean;
  /** `changed` is called each time that others are hidden than before. */
  onChange(changed: () => void, failed: (error: unknown) => void): void;
}

/** Opens the bot's memory of drivers and servers. */
export function openHistory(
  { history: store, historyCopies }: Pick<Stores, 'history' | 'historyCopies'>,
  { isHidden, onChange }: Drivers,
  { clock, log }: Runtime,
) {
  const coverage = createTtlMemo<'drivers', Coverage>(clock, MAX_AGE_MS, 1);
  const questions = createQuestions({
    store,
    clock,
    isHidden,
    coverage: (...parts) => coverage.get('drivers', () => allCoverage(...parts)),
  });
  const { history, forget } = rememberProfiles(questions, clock);
  onChange(forget, logFailures(log, 'history'));
  const readings = createReadings({ clock, isHidden });
  return {
    history,
    /** Takes figures and offers from look-ups that happen anyway. */
    lookUps: createLookUps(readings, createOffers({ isHidden }), store),
    forgetDriver: createForgetDriver({
      store,
      copies: historyCopies,
      deleted(username) {
        readings.forget(username);
        forget();
      },
      unreached: (copy, error) =>
        log.error({ copy, err: error }, 'a driver was deleted, but not from this copy: delete it'),
    }),
  };
}

/**
 * How old an answer may be, in ms: the recorder writes once a minute, and what another process hides or deletes is
 * known within one.
 */
const MAX_AGE_MS = 30_000;
/** Drivers, of about half a kilobyte each; beside them one rank for each driver of the week. */
const MAX_DRIVERS = 500;
/** Months by the clocks of different zones, of one row a driver. */
const MAX_SPANS = 30;
/** Rankings of each subject over each span, of one row a driver. */
const MAX_RANKINGS = 15;

/** Remembers what every profile asks: with a full history, two milliseconds for each. */
function rememberProfiles(history: History, clock: Pick<Clock, 'monotonic'>) {
  const of = <Key extends keyof History>(maxEntries: number) =>
    createTtlMemo<string, Awaited<ReturnType<History[Key]>>>(clock, MAX_AGE_MS, maxEntries);
  const ranks = of<'bestRanks'>(1);
  /** Many spans at once take no more of the bot's time than one. */
  const inTurn = createMutex();
  const playtimes = of<'playtime'>(MAX_SPANS);
  const rankings = of<'top'>(MAX_RANKINGS);
  const open = of<'openSessions'>(MAX_DRIVERS);
  const earlier = of<'earlierReading'>(MAX_DRIVERS);
  /** It tells of no driver. */
  const names = of<'namesDrivers'>(1);
  return {
    history: {
      ...history,
      bestRanks: () => ranks.get('week', () => history.bestRanks()),
      top: (subject, span) =>
        rankings.get(`${subject} ${span}`, () => inTurn('top', () => history.top(subject, span))),
      playtime: (span) =>
        playtimes.get(`${span.from} ${span.to}`, () => inTurn('playtime', () => history.playtime(span))),
      openSessions: (username) => open.get(sameSpelling(username), () => history.openSessions(username)),
      earlierReading: (username) =>
        earlier.get(sameSpelling(username), () => history.earlierReading(username)),
      namesDrivers: () => names.get('names', history.namesDrivers),
    } satisfies History,
    /** To be called when a driver was hidden, shown or deleted: nothing from before is told any more. */
    forget(): void {
      ranks.clear();
      playtimes.clear();
      rankings.clear();
      open.clear();
      earlier.clear();
    },
  };
}
