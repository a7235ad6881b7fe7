/** Figures of profiles, taken from look-ups that happen anyway: at most once a day a driver. */
import type { Clock } from '../../base/clock.ts';
import { DAY, SECOND } from '../../base/duration.ts';
import {
  insertRows,
  numberIn,
  type Query,
  type Row,
  type SqlValue,
  type Steps,
  sql,
  textIn,
} from '../../base/sql.ts';
import { sameSpelling } from '../../service/models/identifiers.ts';
import { MAX_NUMBER } from '../../service/models/leaves.ts';
import type { Profile } from '../../service/models/profile.ts';
import { noteNames, type RowsAtOnce } from './drivers.ts';
import type { Figure, Figures, ProfileReading } from './history.ts';

interface DriverReading {
  readonly driver: string;
  readonly reading: ProfileReading;
}

export function readFigures({ money, stats }: Pick<Profile, 'money' | 'stats'>): Figures {
  return { ...stats?.known, ...(money === null ? {} : { money }) };
}

const FIGURES: readonly Figure[] = [
  'money',
  'driven_distance',
  'chases_won_cop',
  'chases_won_robber',
  'gaming_time_total',
  'gaming_time_cop',
];
/** Columns of a reading, in the order in which version 2.0 stored the figures, too. */
export const READING_COLUMNS: Query = { parts: [['at', ...FIGURES].join(', ')], values: [] };

/** `key`: the name without its case; `driver`: as last spelled. */
export interface StoredReading extends DriverReading {
  readonly key: string;
}

export function readReading(row: Row): StoredReading {
  const known = FIGURES.flatMap((figure): [Figure, number][] => {
    const value = row[figure];
    // Of larger numbers, a difference or a sum can be infinite.
    return typeof value === 'number' && Math.abs(value) <= MAX_NUMBER ? [[figure, value]] : [];
  });
  const key = textIn(row, 'driver');
  return {
    key,
    driver: typeof row['name'] === 'string' ? row['name'] : key,
    reading: { at: numberIn(row, 'at') * SECOND, figures: Object.fromEntries(known) },
  };
}

/** A driver's readings (a name without its case) that are kept, oldest first. */
export function selectReadings(key: string): Query {
  return sql`SELECT driver, ${READING_COLUMNS} FROM readings WHERE driver = ${key} ORDER BY day`;
}

/** All drivers' readings of a UTC day (a number since 1970). */
export function selectReadingsOf(day: number): Query {
  return sql`SELECT driver, (SELECT name FROM drivers WHERE driver = readings.driver) AS name, ${READING_COLUMNS}
    FROM readings WHERE day = ${day} ORDER BY at`;
}

/** Each driver's first and last reading, of the drivers after this one: at most {@link READING_ENDS_PAGE} rows, two for each. */
export function selectReadingEnds(after: string): Query {
  return sql`SELECT driver, (SELECT name FROM drivers WHERE driver = reading_ends.driver) AS name, ${READING_COLUMNS}
    FROM reading_ends WHERE driver > ${after} ORDER BY driver, is_last LIMIT ${READING_ENDS_PAGE}`;
}
export const READING_ENDS_PAGE = 1000;

const valuesOf = ({ at, figures }: ProfileReading): readonly SqlValue[] => [
  Math.floor(at / SECOND),
  ...FIGURES.map((figure) => figures[figure] ?? null),
];

/** One reading of a driver a day counts: after a restart, or by another process, there may be one already. Oldest first. */
export function* addReadings(readings: readonly DriverReading[], at: RowsAtOnce): Steps<void> {
  yield* noteNames(
    readings.map(({ driver }) => driver),
    at,
  );
  for (const { driver, reading } of readings) {
    const key = sameSpelling(driver);
    const day = Math.floor(reading.at / DAY);
    const fresh = yield* insertRows(
      at,
      [[key, day, ...valuesOf(reading)]],
      (rows) => sql`INSERT INTO readings (driver, day, ${READING_COLUMNS}) VALUES ${rows}
        ON CONFLICT (driver, day) DO NOTHING RETURNING driver`,
    );
    if (fresh.length > 0) yield* addReadingEnds(key, reading, at);
  }
}

/** The reading is the last one now, and the first one where there was none. */
function* addReadingEnds(key: string, reading: ProfileReading, at: RowsAtOnce): Steps<void> {
  yield* insertRows(
    at,
    [[key, 0, ...valuesOf(reading)]],
    (rows) => sql`INSERT INTO reading_ends (driver, is_last, ${READING_COLUMNS}) VALUES ${rows}
      ON CONFLICT (driver, is_last) DO NOTHING`,
  );
  yield* insertRows(
    at,
    [[key, 1, ...valuesOf(reading)]],
    (rows) => sql`INSERT INTO reading_ends (driver, is_last, ${READING_COLUMNS}) VALUES ${rows}
      ON CONFLICT (driver, is_last) DO UPDATE SET at = excluded.at, money = excluded.money,
        driven_distance = excluded.driven_distance, chases_won_cop = excluded.chases_won_cop,
        chases_won_robber = excluded.chases_won_robber, gaming_time_total = excluded.gaming_time_total,
        gaming_time_cop = excluded.gaming_time_cop`,
  );
}

/** More than are looked up within a minute. */
const MAX_NOTED = 1000;

export function createReadings(parts: {
  readonly clock: Clock;
  readonly isHidden: (username: string) => boolean;
}) {
  const { clock, isHidden } = parts;
  const noted = new Map<string, DriverReading>();
  /** For the last write, which may have failed. */
  let handedOut = [...noted];
  /** Drivers who have a reading of this UTC day. */
  let readToday: { readonly day: number; readonly drivers: Set<string> } = { day: 0, drivers: new Set() };

  return {
    /** A profile was read, which was true at that time. Memory only. */
    note(driver: string, at: number, figures: () => Figures): void {
      const day = Math.floor(clock.now() / DAY);
      if (readToday.day !== day) readToday = { day, drivers: new Set() };
      const key = sameSpelling(driver);
      if (Math.floor(at / DAY) !== day || readToday.drivers.has(key) || isHidden(driver)) return;
      const reading = { at, figures: figures() };
      if (Object.keys(reading.figures).length === 0 || noted.size >= MAX_NOTED) return;
      readToday.drivers.add(key);
      noted.set(key, { driver, reading });
    },
    /** The driver was deleted: nothing from before is written any more. */
    forget: (username: string): void => void noted.delete(sameSpelling(username)),
    /** Readings that were noted and are not yet written. */
    noted(): readonly DriverReading[] {
      handedOut = [...noted];
      return handedOut.map(([, one]) => one).filter(({ driver }) => !isHidden(driver));
    },
    /** To be called when the store has what was given out last. */
    written(): void {
      for (const [key, entry] of handedOut) if (noted.get(key) === entry) noted.delete(key);
    },
  };
}
