/** A whole past in the store, as the recorder would have written it minute by minute. */
import { MINUTE, SECOND } from '../../base/duration.ts';
import { insertRows, type Steps, sql } from '../../base/sql.ts';
import { sameSpelling } from '../../service/models/identifiers.ts';
import { LiveServer } from '../../service/models/live-status.ts';
import type { HistoryStore } from '../../store/history-store.ts';
import { type MinuteCount, type Step, steps, stepValues } from './counts.ts';
import { extendCoverage } from './coverage.ts';
import type { CountedPlace, Offer, ProfileReading, Session, Stretch } from './history.ts';
import { addOffers } from './offers.ts';
import { addPlayed } from './played.ts';
import { addReadings } from './readings.ts';
import { saveState } from './recorder-state.ts';
import { addRuns, type NamedRun } from './runs.ts';
import { addSessions, type DriverSession } from './sessions.ts';
import type { ServerStays } from './stays.ts';

interface Past {
  /** In order of beginning, all over before `until`. */
  readonly sessions: readonly DriverSession[];
  /** Sessions that go on, up to that moment: the recorder continues them. */
  readonly underWay: readonly DriverSession[];
  readonly readings: readonly { readonly driver: string; readonly readings: readonly ProfileReading[] }[];
  /** Prices that were seen. */
  readonly offers: readonly Offer[];
  /** Periods in which each server was up or down. */
  readonly runs: readonly NamedRun[];
  /** When nothing was recorded, in order and apart. */
  readonly holes: readonly Stretch[];
  readonly since: number;
  readonly until: number;
}

/** Writes it in one transaction. */
export async function writePast(past: Past, store: HistoryStore): Promise<void> {
  await store.write(() => stepsOf(past));
}

/** Nobody waits meanwhile: statements of many rows take less time. */
const AT = { rowsAtOnce: 100 };

function* stepsOf(past: Past): Steps<void> {
  const { sessions, underWay, runs, readings, offers, since, until } = past;
  const minute = Math.floor(until / MINUTE) * MINUTE;
  const [, , { keep }] = steps;
  const kept = { from: Math.max(since, until - keep), to: minute };
  for (const place of [...LiveServer.options, 'all'] as const) {
    for (const step of steps) yield* addCounts(place, step, past);
    yield* extendCoverage(
      without(past.holes, kept).map(({ from, to }) => ({ place, from: from / SECOND, to: to / SECOND })),
    );
  }
  if (underWay.length > 0) yield* saveState(lastState(past));
  yield* addRuns(runs, AT);
  yield* addSessions(
    sessions.filter(({ session }) => session.from > kept.from),
    AT,
  );
  yield* addPlayed(
    [...sessions, ...underWay].map(({ driver, session: { from, played } }) => ({
      driver,
      at: from,
      ms: played,
    })),
    AT,
    until,
  );
  yield* addReadings(
    readings.flatMap(({ driver, readings: own }) => own.map((reading) => ({ driver, reading }))),
    AT,
  );
  yield* addOffers(offers.map((offer) => ({ ...offer, isOffered: true })));
}

/** The whole minutes between holes. */
function without(holes: readonly Stretch[], { from, to }: Stretch): readonly Stretch[] {
  const up = (at: number): number => Math.ceil(at / MINUTE) * MINUTE;
  const ends = [...holes, { from: to, to }].filter((hole) => hole.to > from);
  return ends.flatMap((hole, index) => {
    const begin = up(Math.max(from, ends[index - 1]?.to ?? from));
    const end = Math.min(to, up(hole.from));
    return end > begin ? [{ from: begin, to: end }] : [];
  });
}

function* addCounts(place: CountedPlace, { step, keep }: Step, past: Past): Steps<void> {
  const from = Math.max(past.since, past.until - keep);
  const first = Math.ceil(from / step);
  // The last step as far as its minutes go: the recorder adds those to come.
  const end = Math.floor(past.until / MINUTE) * MINUTE;
  const grid = { first, count: Math.ceil(end / step) - first, step, end };
  const points = pointsOf(
    [...past.sessions, ...past.underWay].flatMap(({ session }) =>
      (place === 'all' || session.server === place) && session.to > from ? [session] : [],
    ),
    grid,
  ).filter(({ at }) => !past.holes.some((hole) => at >= hole.from && at < hole.to));
  yield* insertRows(
    AT,
    points.map((point) => stepValues(place, step, lengthOf(point.at, grid) / MINUTE, point)),
    (rows) => sql`INSERT INTO counts (place, step, at, minutes, drivers, most, police) VALUES ${rows}`,
  );
}

interface Grid {
  /** The number of the first step since 1970. */
  readonly first: number;
  readonly count: number;
  readonly step: number;
  /** End of the last step, at a whole minute. */
  readonly end: number;
}

const lengthOf = (at: number, { step, end }: Pick<Grid, 'step' | 'end'>): number => Math.min(step, end - at);

/** Counts the drivers of each step from the sessions that overlap it. */
function pointsOf(sessions: readonly Session[], grid: Grid): readonly MinuteCount[] {
  const { first, count, step } = grid;
  const driverCounts = new Float64Array(count);
  const peaks = mostAtOnce(sessions, grid);
  const policeCounts = new Float64Array(count);
  for (const { from, to, duty } of sessions) {
    const isPolice = (duty?.police ?? 0) > 0;
    const last = Math.min(count - 1, Math.floor(to / step) - first);
    for (let index = Math.max(0, Math.floor(from / step) - first); index <= last; index += 1) {
      const start = (first + index) * step;
      const length = lengthOf(start, grid);
      const share = Math.max(0, Math.min(to, start + length) - Math.max(from, start)) / length;
      driverCounts[index] = (driverCounts[index] ?? 0) + share;
      if (isPolice) policeCounts[index] = (policeCounts[index] ?? 0) + share;
    }
  }
  return Array.from(driverCounts, (drivers, index) => ({
    at: (first + index) * step,
    drivers,
    most: peaks[index] ?? 0,
    police: policeCounts[index] ?? 0,
  }));
}

/** The highest number of sessions at one time in each step. */
function mostAtOnce(sessions: readonly Session[], { first, count, step }: Grid): Uint16Array {
  const changes = sessions
    .flatMap(({ from, to }) => [
      { at: from, by: 1 },
      { at: to, by: -1 },
    ])
    .sort((a, b) => a.at - b.at || a.by - b.by);
  const peaks = new Uint16Array(count);
  let next = 0;
  let current = 0;
  for (let index = 0; index < count; index += 1) {
    const end = (first + index + 1) * step;
    peaks[index] = current;
    for (let change = changes[next]; change !== undefined && change.at < end; change = changes[next]) {
      current += change.by;
      if (change.at < end - step) peaks[index] = current;
      else peaks[index] = Math.max(peaks[index] ?? 0, current);
      next += 1;
    }
  }
  return peaks;
}

/** State of the recorder at its last reading: a start within a minute leaves no gap. */
function lastState({ underWay, until }: Past) {
  const stays = Map.groupBy(underWay, ({ session }) => session.server);
  const servers = LiveServer.options.map((server): [LiveServer, ServerStays] => {
    const serverStays = (stays.get(server) ?? []).map(
      ({ driver, session: { from, played, duty, startKnown } }) => {
        const stay = { driver, from, seen: until, played, duty, startKnown, holed: false };
        return [sameSpelling(driver), stay] as const;
      },
    );
    return [server, { at: until, stays: new Map(serverStays) }];
  });
  return { written: until, names: true, servers: new Map(servers), open: new Map() };
}
