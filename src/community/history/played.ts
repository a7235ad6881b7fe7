/** Time online of each driver, by hours and days for the last month, and by 30 days for all that is kept. */
import { DAY, HOUR, SECOND } from '../../base/duration.ts';
import { insertRows, type Query, type Steps, sql } from '../../base/sql.ts';
import { sameSpelling } from '../../service/models/identifiers.ts';
import { noteNames, type RowsAtOnce } from './drivers.ts';
import { MONTH_MS, YEAR_MS } from './kept.ts';

export interface Played {
  readonly driver: string;
  readonly at: number;
  readonly ms: number;
}

const BLOCK = 30 * DAY;
/** In ms. */
export const playedSteps = [
  { step: HOUR, keep: MONTH_MS },
  { step: DAY, keep: MONTH_MS },
  { step: BLOCK, keep: YEAR_MS },
] as const;

/** Merges times by driver and step, as they are kept. */
export function joinPlayed(played: readonly Played[], step: number): readonly Played[] {
  const same = Map.groupBy(played, ({ driver, at }) => `${Math.floor(at / step)} ${driver}`);
  return [...same.values()].map((rows) =>
    rows.reduce((sum, { driver, at, ms }) => ({ driver, at, ms: sum.ms + ms })),
  );
}

/** `since` (unix ms): what is older than a step is kept is left out. */
export function* addPlayed(
  played: readonly Played[],
  at: RowsAtOnce,
  since: number | null = null,
): Steps<void> {
  yield* noteNames(
    played.map(({ driver }) => driver),
    at,
  );
  for (const { step, keep } of playedSteps) {
    const kept = since === null ? played : played.filter((one) => one.at >= since - keep - step);
    const sums = new Map<string, [step: number, at: number, driver: string, ms: number]>();
    for (const { driver, at: moment, ms } of kept) {
      const [key, begin] = [sameSpelling(driver), Math.floor(moment / step) * (step / SECOND)];
      const sum = sums.get(`${begin} ${key}`);
      if (sum === undefined) sums.set(`${begin} ${key}`, [step / SECOND, begin, key, Math.round(ms)]);
      else sum[3] += Math.round(ms);
    }
    yield* insertRows(
      at,
      [...sums.values()],
      (values) => sql`INSERT INTO played (step, at, driver, ms) VALUES ${values}
        ON CONFLICT (step, at, driver) DO UPDATE SET ms = played.ms + excluded.ms`,
    );
  }
}

/** The time of each driver (`driver`, `name`, `ms`) since then; the first day of a span is mostly a part of a UTC day. */
export function selectPlayed(from: number, now: number): Query {
  const nextDay = (Math.floor(from / DAY) + 1) * DAY;
  const rows =
    from === 0
      ? sql`SELECT driver, ms FROM played WHERE step = ${BLOCK / SECOND} AND at <= ${Math.floor(now / SECOND)}`
      : sql`SELECT driver, ms FROM played
          WHERE step = ${HOUR / SECOND} AND at >= ${Math.ceil(from / SECOND)} AND at < ${nextDay / SECOND}
        UNION ALL SELECT driver, ms FROM played
          WHERE step = ${DAY / SECOND} AND at >= ${nextDay / SECOND} AND at <= ${Math.floor(now / SECOND)}`;
  return sql`SELECT sums.driver, name, sums.ms FROM drivers JOIN (
      SELECT driver, CAST(sum(ms) AS BIGINT) AS ms FROM (${rows}) AS found GROUP BY driver
    ) AS sums ON sums.driver = drivers.driver ORDER BY sums.driver`;
}
