/** The questions of {@link History}, answered from the store. */
import type { Clock } from '../base/clock.ts';
import { DAY, HOUR, MINUTE } from '../base/duration.ts';
import type { Coverage, DriverHistory, History, ProfileReading, Session } from '../service/models/history.ts';
import { sameSpelling } from '../service/models/identifiers.ts';
import type { HistoryChunks } from '../store/history-chunks.ts';
import { DATA_SERVICE } from './availability.ts';
import { driversKnown, knownSince, knownSteps, measureCoverage, readPoints, stepFor } from './coverage.ts';
import { blockStart, kinds, steps } from './kinds.ts';
import { findOffers } from './offers.ts';
import { readReadings } from './readings.ts';
import { type RecorderState, storedState } from './recorder-state.ts';
import { outagesIn, runsIn } from './runs.ts';
import { isStored, readSessions } from './sessions.ts';
import { toSession } from './stays.ts';
import { bestRanks, playtimeRows, topList } from './top.ts';
import { usualHours, weekAverages } from './usual.ts';

interface QuestionsParts {
  readonly chunks: HistoryChunks;
  readonly clock: Pick<Clock, 'now'>;
  readonly isHidden: (username: string) => boolean;
  /** Returns {@link allCoverage}, perhaps a little older: it is the same for each driver. */
  readonly coverage: typeof allCoverage;
}

export function createQuestions({ chunks, clock, isHidden, coverage }: QuestionsParts): History {
  /** Returns all known sessions of a driver, in no order. */
  async function allSessions(username: string): Promise<readonly Session[]> {
    if (isHidden(username)) return [];
    const { current, over: endedSessions } = await sessionsOf(username, clock.now(), chunks);
    return current === null ? endedSessions : [...endedSessions, current];
  }

  return {
    async counts(place, span) {
      const step = stepFor(span.from, clock.now());
      const points = await readPoints(place, step, span, chunks);
      const recent = { from: Math.max(span.from, span.to - HOUR), to: span.to };
      const latest = (await readPoints(place, steps[0], recent, chunks)).at(-1) ?? null;
      const coveredSince = await knownSince(place, span, chunks);
      return {
        ...measureCoverage(knownSteps(points, step.step, span), coveredSince),
        step: step.step,
        points,
        latest,
      };
    },
    week: (place, zone) => weekAverages(place, zone, clock.now(), chunks),
    async driver(username, count): Promise<DriverHistory | null> {
      if (isHidden(username)) return null;
      const now = clock.now();
      const { driver, current, over: endedSessions } = await sessionsOf(username, now, chunks);
      if (driver === null) return null;
      return {
        ...(await coverage(chunks, clock.now())),
        driver,
        current,
        sessions: endedSessions.slice(0, count),
      };
    },
    sessions: async (username, { from, to }) =>
      (await allSessions(username)).filter((session) => session.to > from && session.from < to),
    usualHours: async (username, zone) => usualHours(await allSessions(username), zone, clock.now(), chunks),
    top: (subject, span) => topList(subject, span, { now: clock.now(), chunks, isHidden }),
    playtime: (span) => playtimeRows(span, { now: clock.now(), chunks, isHidden }),
    bestRanks: () => bestRanks({ now: clock.now(), chunks, isHidden }),
    openSessions: async (username) =>
      isHidden(username)
        ? []
        : underWay(sameSpelling(username), await stateOf(chunks), clock.now()).map(({ session }) => session),
    earlierReading: async (username) =>
      isHidden(username) ? null : earlierReading(sameSpelling(username), clock.now(), chunks),
    readings: async (username, { from, to }) =>
      isHidden(username)
        ? []
        : (await readingsOf(sameSpelling(username), clock.now(), chunks)).filter(
            ({ at }) => at >= from && at < to,
          ),
    offers: (models) => findOffers(models, clock.now(), chunks),
    async uptime(server, span) {
      const name = server ?? DATA_SERVICE;
      const open = (await stateOf(chunks))?.open.get(name);
      const runs = await runsIn(span, { name, open }, chunks);
      return { runs, outages: outagesIn(runs) };
    },
    async offlineSince() {
      const [span, open] = [{ from: clock.now() - DAY, to: clock.now() }, (await stateOf(chunks))?.open];
      const downRuns = [...(open ?? [])].filter(([name, { isUp }]) => !isUp && name !== DATA_SERVICE);
      const outageStarts = downRuns.map(async ([name, run]) => {
        const outages = outagesIn(await runsIn(span, { name, open: run }, chunks));
        return [name, outages.at(-1)?.from ?? run.from] as const;
      });
      return new Map(await Promise.all(outageStarts));
    },
    async namesDrivers() {
      return (await stateOf(chunks))?.names ?? null;
    },
  };
}

/** How much is known of drivers in all the time until then. */
export function allCoverage(chunks: HistoryChunks, now: number): Promise<Coverage> {
  return driversKnown({ from: 0, to: now }, chunks);
}

async function stateOf(chunks: HistoryChunks): Promise<RecorderState | null> {
  return (await storedState(chunks))?.state ?? null;
}

/** Returns a driver's sessions: the current one, and those that have ended, newest first. */
async function sessionsOf(username: string, now: number, chunks: HistoryChunks) {
  const key = sameSpelling(username);
  // Before the chunks, into which a session goes that ends meanwhile.
  const state = await stateOf(chunks);
  const sessionChunks = await chunks.read({ kind: 'sessions', key }, 0, Number.MAX_SAFE_INTEGER);
  const parts = sessionChunks.flatMap((chunk) => readSessions(chunk) ?? []);
  const storedSessions = parts.flatMap(({ sessions }) => sessions);
  const open = underWay(key, state, now).filter(({ session }) => !isStored(session, storedSessions));
  const endedSessions = [
    ...storedSessions,
    ...open.filter(({ isCurrent }) => !isCurrent).map(({ session }) => session),
  ];
  return {
    driver: open.at(-1)?.driver ?? parts.at(-1)?.driver ?? null,
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

async function earlierReading(
  key: string,
  now: number,
  chunks: HistoryChunks,
): Promise<ProfileReading | null> {
  const today = blockStart('played-day', now);
  const all = (await readingsOf(key, now, chunks)).filter(({ at }) => at < today);
  return all.find(({ at }) => at >= now - 7 * DAY) ?? all.at(-1) ?? null;
}

/** Oldest first. */
async function readingsOf(
  key: string,
  now: number,
  chunks: HistoryChunks,
): Promise<readonly ProfileReading[]> {
  const read = async (kind: 'readings-linked' | 'readings-other') =>
    (await chunks.read({ kind, key }, blockStart(kind, now - kinds[kind].keep), now)).flatMap(readReadings);
  const all = [...(await read('readings-linked')), ...(await read('readings-other'))];
  return all.toSorted((a, b) => a.at - b.at);
}
