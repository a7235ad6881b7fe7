/** Counts of one place in steps of time: how they are written, averaged and read. */
import { DAY, HOUR, MINUTE, SECOND } from '../../base/duration.ts';
import { forEachInSlices, repeatInSlices } from '../../base/for-each-yielding.ts';
import {
  insertRows,
  numberIn,
  numberOrNullIn,
  type Row,
  type SqlValue,
  type Steps,
  sql,
  textIn,
} from '../../base/sql.ts';
import { sumBy } from '../../base/sum-by.ts';
import { LiveServer } from '../../service/models/live-status.ts';
import type { HistoryStore } from '../../store/history-store.ts';
import { extendCoverage } from './coverage.ts';
import type { RowsAtOnce } from './drivers.ts';
import type { CountedPlace, CountPoint, Stretch } from './history.ts';
import { USUAL_SPAN_MS, YEAR_MS } from './kept.ts';

/** The averages of one minute. */
export type MinuteCount = Omit<CountPoint, 'known'>;

export interface PlaceMinute {
  readonly place: CountedPlace;
  readonly minute: MinuteCount;
}

/**
 * The steps in which counts are kept, finest first, and for how long, in ms. Ten minutes, so that zones that are half an hour off
 * get whole hours.
 */
export const steps = [
  { step: MINUTE, keep: 2 * DAY },
  { step: 10 * MINUTE, keep: USUAL_SPAN_MS + DAY },
  { step: HOUR, keep: YEAR_MS },
] as const;
export type Step = (typeof steps)[number];

/** The finest step that reaches back that far. */
export function stepFor(from: number, now: number): Step {
  const [minute, ten, hour] = steps;
  return [minute, ten].find(({ keep }) => from >= now - keep) ?? hour;
}

/** Minutes that are stored already, from before a restart or a step of the clock, stay as they are. */
export function* addMinutes(minutes: readonly PlaceMinute[], at: RowsAtOnce): Steps<void> {
  const [{ step: finest }, ...coarser] = steps;
  const stored = yield* insertRows(
    at,
    minutes.map(({ place, minute }) => stepValues(place, finest, 1, minute)),
    (rows) => sql`INSERT INTO counts (place, step, at, minutes, drivers, most, police) VALUES ${rows}
      ON CONFLICT (place, step, at) DO NOTHING RETURNING place, at, drivers, most, police`,
  );
  const fresh = stored.map((row) => ({
    place: textIn(row, 'place'),
    at: numberIn(row, 'at'),
    drivers: numberIn(row, 'drivers'),
    most: numberIn(row, 'most'),
    police: numberOrNullIn(row, 'police'),
  }));
  for (const { step } of coarser) {
    const seconds = step / SECOND;
    const starts = Map.groupBy(fresh, (row) => `${Math.floor(row.at / seconds)} ${row.place}`);
    yield* insertRows(
      at,
      [...starts.values()].map((same) => [
        same[0]?.place ?? '',
        seconds,
        Math.floor((same[0]?.at ?? 0) / seconds) * seconds,
        same.length,
        sumBy(same, (row) => row.drivers),
        Math.max(...same.map((row) => row.most)),
        same.some((row) => row.police === null) ? null : sumBy(same, (row) => row.police ?? 0),
      ]),
      (rows) => sql`INSERT INTO counts (place, step, at, minutes, drivers, most, police) VALUES ${rows}
        ON CONFLICT (place, step, at) DO UPDATE SET minutes = counts.minutes + excluded.minutes,
          drivers = counts.drivers + excluded.drivers,
          most = CASE WHEN counts.most > excluded.most THEN counts.most ELSE excluded.most END,
          police = counts.police + excluded.police`,
    );
  }
  yield* extendCoverage(
    fresh.map((row) => ({ place: row.place, from: row.at, to: row.at + MINUTE / SECOND })),
  );
}

/** A step as it is stored, from its averages over so many minutes. */
export function stepValues(
  place: CountedPlace,
  step: number,
  minutes: number,
  { at, drivers, most, police }: MinuteCount,
): readonly SqlValue[] {
  const hundredths = (average: number): number => Math.round(average * minutes * 100);
  const sums = [hundredths(drivers), most, police === null ? null : hundredths(police)];
  return [place, step / SECOND, Math.floor(at / SECOND), minutes, ...sums];
}

/** Every step of one place with a reading, in order of time. */
export async function readPoints(
  place: CountedPlace,
  step: Step,
  span: Stretch,
  store: Pick<HistoryStore, 'read'>,
): Promise<readonly CountPoint[]> {
  if (place !== 'all') return storedPoints(place, step, span, store);
  const [atOnce, ...servers] = await Promise.all(
    (['all', ...LiveServer.options] as const).map((key) => storedPoints(key, step, span, store)),
  );
  return together(servers, new Map(atOnce?.map((point) => [point.at, point.most])));
}

/** The steps at which every server has a point that has any on that UTC day. `peaks`: as counted at one time. */
async function together(
  servers: readonly (readonly CountPoint[])[],
  peaks: ReadonlyMap<number, number>,
): Promise<readonly CountPoint[]> {
  const sums: CountPoint[] = [];
  const byDay = servers.map((points) => Map.groupBy(points, ({ at }) => Math.floor(at / DAY)));
  const days = new Set(byDay.flatMap((points) => [...points.keys()]));
  await forEachInSlices(
    [...days].toSorted((a, b) => a - b),
    (day) => {
      const dayPoints = byDay.flatMap((points) => [points.get(day) ?? []]).filter(({ length }) => length > 0);
      // In order of time, as the first of the servers has them.
      for (const [at, points] of Map.groupBy(dayPoints.flat(), (point) => point.at))
        if (points.length === dayPoints.length) sums.push(sum(at, points, peaks.get(at)));
    },
  );
  return sums;
}

function sum(at: number, points: readonly CountPoint[], peak: number | undefined): CountPoint {
  let [knownMs, drivers, highest, police, withoutPolice] = [Number.POSITIVE_INFINITY, 0, 0, 0, 0];
  for (const point of points) {
    knownMs = Math.min(knownMs, point.known);
    drivers += point.drivers;
    highest = Math.max(highest, point.most);
    if (point.police === null) withoutPolice += 1;
    else police += point.police;
  }
  return {
    at,
    known: knownMs,
    drivers,
    // The servers' own peaks may have been at different times; as many as the average there were.
    most: peak ?? Math.max(Math.floor(drivers), highest),
    police: withoutPolice === points.length ? null : police,
    ...(withoutPolice > 0 ? { isPolicePartly: true } : {}),
  };
}

/** Rows of one statement: SQLite works on the thread that calls it. */
const PAGE_ROWS = 1000;

/** Steps of a place with a reading, in order of time. */
async function storedPoints(
  place: CountedPlace,
  { step }: Step,
  { from, to }: Stretch,
  store: Pick<HistoryStore, 'read'>,
): Promise<readonly CountPoint[]> {
  const points: CountPoint[] = [];
  let at = (from - step) / SECOND;
  await repeatInSlices(async () => {
    const rows = await store.read(sql`SELECT at, minutes, drivers, most, police FROM counts
      WHERE place = ${place} AND step = ${step / SECOND} AND at > ${Math.floor(at)} AND at < ${Math.ceil(to / SECOND)}
      ORDER BY at LIMIT ${PAGE_ROWS}`);
    for (const row of rows) points.push(pointOf(row));
    at = (points.at(-1)?.at ?? 0) / SECOND;
    return rows.length === PAGE_ROWS;
  });
  return points.filter((point) => point.at + step > from);
}

function pointOf(row: Row): CountPoint {
  const minutes = numberIn(row, 'minutes');
  const police = numberOrNullIn(row, 'police');
  return {
    at: numberIn(row, 'at') * SECOND,
    known: minutes * MINUTE,
    drivers: numberIn(row, 'drivers') / 100 / minutes,
    most: numberIn(row, 'most'),
    police: police === null ? null : police / 100 / minutes,
  };
}

/** Rounded sums are stored as whole numbers. */
const tidy = (value: number): number => Math.round(value * 100) / 100;

/** Adds up the readings of one place, and gives out each minute once it is over. */
export function createMinuteCounter() {
  let minute: {
    readonly at: number;
    readings: number;
    drivers: number;
    police: number | null;
    most: number;
  } | null = null;

  function finished(): readonly MinuteCount[] {
    if (minute === null) return [];
    const { at, readings, drivers, police, most } = minute;
    minute = null;
    return [{ at, drivers: tidy(drivers / readings), most, police: police && tidy(police / readings) }];
  }

  return {
    /** The minute under way, as far as it is known. */
    finished,
    /** Minutes that ended before `now`. */
    endedBy: (now: number): readonly MinuteCount[] =>
      minute !== null && Math.floor(now / MINUTE) * MINUTE !== minute.at ? finished() : [],
    /** To be called after {@link endedBy} for the same time. */
    add(now: number, drivers: number, police: CountPoint['police']): void {
      minute ??= { at: Math.floor(now / MINUTE) * MINUTE, readings: 0, drivers: 0, police: 0, most: 0 };
      minute.readings += 1;
      minute.drivers += drivers;
      minute.most = Math.max(minute.most, drivers);
      minute.police = police === null || minute.police === null ? null : minute.police + police;
    },
  };
}
