/** The questions of {@link History}, answered from the store. */
import type { Clock } from '../../base/clock.ts';
import { DAY, HOUR, MINUTE } from '../../base/duration.ts';
import { textIn } from '../../base/sql.ts';
import { sameSpelling } from '../../service/models/identifiers.ts';
import type { HistoryStore } from '../../store/history-store.ts';
import { DATA_SERVICE } from './availability.ts';
import { readPoints, stepFor, steps } from './counts.ts';
import { driversKnown, placeKnown } from './coverage.ts';
import type { Coverage, DriverHistory, History, ProfileReading, Session } from './history.ts';
import { findOffers } from './offers.ts';
import { readReading, selectReadings } from './readings.ts';
import { type RecorderState, storedState } from './recorder-state.ts';
import { outagesIn, runsIn } from './runs.ts';
import { isStored, readSession, selectSessions } from './sessions.ts';
import { toSession } from './stays.ts';
import { bestRanks, playtimeRows, topList } from './top.ts';
import { usualHours, weekAverages } from './usual.ts';

type Readable = Pick<HistoryStore, 'read'>;

interface QuestionsParts {
  readonly store: Readable;
  readonly clock: Pick<Clock, 'now'>;
  readonly isHidden: (username: string) => boolean;
  /** Returns {@link allCoverage}, perhaps a little older: it is the same for each driver. */
  readonly coverage: typeof allCoverage;
}

export function createQuestions({ store, clock, isHidden, coverage }: QuestionsParts): History {
  /** Returns all known sessions of a driver, in no order. */
  async function allSessions(username: string): Promise<readonly Session[]> {
    if (isHidden(username)) return [];
    const { current, over: endedSessions } = await sessionsOf(username, clock.now(), store);
    return current === null ? endedSessions : [...endedSessions, current];
  }

  return {
    async counts(place, span) {
      const step = stepFor(span.from, clock.now());
      const points = await readPoints(place, step, span, store);
      const recent = { from: Math.max(span.from, span.to - HOUR), to: span.to };
      const latest = (await readPoints(place, steps[0], recent, store)).at(-1) ?? null;
      return { ...(await placeKnown(place, span, store)), step: step.step, points, latest };
    },
    week: (place, zone) => weekAverages(place, zone, clock.now(), store),
    async driver(username, count): Promise<DriverHistory | null> {
      if (isHidden(username)) return null;
      const now = clock.now();
      const { driver, current, over: endedSessions } = await sessionsOf(username, now, store);
      if (driver === null) return null;
      return {
        ...(await coverage(store, clock.now())),
        driver,
        current,
        sessions: endedSessions.slice(0, count),
      };
    },
    sessions: async (username, { from, to }) =>
      (await allSessions(username)).filter((session) => session.to > from && session.from < to),
    usualHours: async (username, zone) => usualHours(await allSessions(username), zone, clock.now(), store),
    top: (subject, span) => topList(subject, span, { now: clock.now(), store, isHidden }),
    playtime: (span) => playtimeRows(span, { now: clock.now(), store, isHidden }),
    bestRanks: () => bestRanks({ now: clock.now(), store, isHidden }),
    openSessions: async (username) =>
      isHidden(username)
        ? []
        : underWay(sameSpelling(username), await storedState(store), clock.now()).map(
            ({ session }) => session,
          ),
    earlierReading: async (username) =>
      isHidden(username) ? null : earlierReading(sameSpelling(username), clock.now(), store),
    readings: async (username, { from, to }) =>
      isHidden(username)
        ? []
        : (await readingsOf(sameSpelling(username), clock.now(), store)).filter(
            ({ at }) => at >= from && at < to,
          ),
    offers: (models) => findOffers(models, clock.now(), store),
    async uptime(server, span) {
      const name = server ?? DATA_SERVICE;
      const open = (await storedState(store))?.open.get(name);
      const runs = await runsIn(span, { name, open }, store);
      return { runs, outages: outagesIn(runs) };
    },
    async offlineSince() {
      const [span, open] = [{ from: clock.now() - DAY, to: clock.now() }, (await storedState(store))?.open];
      const downRuns = [...(open ?? [])].filter(([name, { isUp }]) => !isUp && name !== DATA_SERVICE);
      const outageStarts = downRuns.map(async ([name, run]) => {
        const outages = outagesIn(await runsIn(span, { name, open: run }, store));
        return [name, outages.at(-1)?.from ?? run.from] as const;
      });
      return new Map(await Promise.all(outageStarts));
    },
    async namesDrivers() {
      return (await storedState(store))?.names ?? null;
    },
  };
}

/** How much is known of drivers in all the time until then. */
export function allCoverage(store: Readable, now: number): Promise<Coverage> {
  return driversKnown({ from: 0, to: now }, store);
}

/** Returns a driver's sessions: the current one, and those that have ended, newest first. */
async function sessionsOf(username: string, now: number, store: Readable) {
  const key = sameSpelling(username);
  // Before the sessions, among which one goes that ends meanwhile.
  const state = await storedState(store);
  const rows = await store.read(selectSessions(key));
  const storedSessions = rows.flatMap((row) => readSession(row) ?? []);
  const open = underWay(key, state, now).filter(({ session }) => !isStored(session, storedSessions));
  const endedSessions = [
    ...storedSessions,
    ...open.filter(({ isCurrent }) => !isCurrent).map(({ session }) => session),
  ];
  return {
    driver: open.at(-1)?.driver ?? rows.map((row) => textIn(row, 'name')).at(-1) ?? null,
    current: open.find(({ isCurrent }) => isCurrent)?.session ?? null,
    // A session that ends in the future comes from a clock that was ahead.
    over: endedSessions.filter(({ to }) => to <= now).toSorted((a, b) => b.from - a.from),
  };
}

/** Without a reading for this long it is not known who is there. In ms. */
const UNKNOWN_AFTER_MS = 5 * MINUTE;

/** The driver's sessions that the recorder has not closed: the one on the server, and those left a moment ago. */
function underWay(key: string, state: RecorderState | null, now: number) {
  return [...(state?.servers ?? [])].flatMap(([server, { at, stays }]) => {
    const stay = stays.get(key);
    if (stay === undefined) return [];
    const isCurrent = stay.seen === at && now - at < UNKNOWN_AFTER_MS;
    const session: Session = {
      ...toSession({ ...stay, holed: stay.holed || now - at >= UNKNOWN_AFTER_MS }),
      server,
    };
    return [{ driver: stay.driver, isCurrent, session }];
  });
}

async function earlierReading(key: string, now: number, store: Readable): Promise<ProfileReading | null> {
  const today = Math.floor(now / DAY) * DAY;
  const all = (await readingsOf(key, now, store)).filter(({ at }) => at < today);
  return all.find(({ at }) => at >= now - 7 * DAY) ?? all.at(-1) ?? null;
}

/** Oldest first. */
async function readingsOf(key: string, now: number, store: Readable): Promise<readonly ProfileReading[]> {
  const rows = await store.read(selectReadings(key));
  return rows.map((row) => readReading(row).reading).filter(({ at }) => at <= now);
}
