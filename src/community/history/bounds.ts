/** How much of history is kept: each table as long as is promised, and no more sessions than fit. */
import { DAY, SECOND } from '../../base/duration.ts';
import { forEachInSlices, repeatInSlices } from '../../base/for-each-yielding.ts';
import { listSql, namesSql, numberIn, type Query, type Steps, sql, textIn } from '../../base/sql.ts';
import { LiveServer } from '../../service/models/live-status.ts';
import type { HistoryStore } from '../../store/history-store.ts';
import { HISTORY_TABLES, type HistoryTable } from '../../store/tables/history.ts';
import { steps } from './counts.ts';
import type { CountedPlace } from './history.ts';
import { MONTH_MS, OFFERS_MS, YEAR_MS } from './kept.ts';
import { playedSteps } from './played.ts';

/** With all that is kept beside them, they take about 64 MB. A year of a large community has half as many. */
const MAX_SESSIONS = 600_000;
/** Rows of each table deleted by one transaction: a month of a large community would hold everything up. */
const MAX_ROWS_DELETED = 100;
/** Sessions are counted in parts of so long, in ms. */
const COUNTED_PART_MS = 5 * DAY;

interface Bounded {
  readonly store: HistoryStore;
  /** A person has linked the driver: readings are kept for longer. */
  readonly isLinked: (username: string) => boolean;
}

/** Deletes what is older than promised, and the oldest beyond so many sessions. */
export async function tidy(
  { store, isLinked }: Bounded,
  now: number,
  maxSessions = MAX_SESSIONS,
): Promise<void> {
  const beyond = await beginOfNewest(maxSessions, now, store);
  const before = (keep: number): number => Math.floor(Math.max(now - keep, beyond) / SECOND);
  const year = before(YEAR_MS);
  const unlinked = await readingsOfUnlinked(store, isLinked, now);
  const excess: readonly (readonly [table: HistoryTable, where: Query])[] = [
    ['sessions', sql`began < ${year}`],
    ...playedSteps.map(
      ({ step, keep }) => ['played', sql`step = ${step / SECOND} AND at < ${before(keep + step)}`] as const,
    ),
    ...steps.flatMap(({ step, keep }) =>
      PLACES.map(
        (place) =>
          [
            'counts',
            sql`place = ${place} AND step = ${step / SECOND} AND at < ${before(keep + step)}`,
          ] as const,
      ),
    ),
    ['readings', sql`day < ${Math.floor(year / (DAY / SECOND))}`],
    ['readings', unlinked],
    ['reading_ends', sql`driver IN (SELECT driver FROM reading_ends WHERE is_last = 1 AND at < ${year})`],
    ['offers', sql`at < ${before(OFFERS_MS)}`],
    ['runs', sql`ended < ${year}`],
    ['coverage', sql`ended <= ${year}`],
    ['drivers', WITHOUT_ROWS],
  ];
  await repeatInSlices(() =>
    store.write(function* (): Steps<boolean> {
      let hasMore = false;
      for (const [table, where] of excess) {
        const [name, key] = [namesSql(table), namesSql(...HISTORY_TABLES[table])];
        const rows = yield sql`DELETE FROM ${name} WHERE (${key}) IN
          (SELECT ${key} FROM ${name} WHERE ${where} LIMIT ${MAX_ROWS_DELETED}) RETURNING 1`;
        hasMore ||= rows.length === MAX_ROWS_DELETED;
      }
      yield sql`UPDATE coverage SET began = ${year} WHERE began < ${year - DAY / SECOND} AND ended > ${year}`;
      return hasMore;
    }),
  );
}

/** Drivers of whom nothing else is kept. */
const WITHOUT_ROWS = sql`NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.driver = drivers.driver)
  AND NOT EXISTS (SELECT 1 FROM played WHERE played.driver = drivers.driver)
  AND NOT EXISTS (SELECT 1 FROM reading_ends WHERE reading_ends.driver = drivers.driver)
  AND NOT EXISTS (SELECT 1 FROM readings WHERE readings.driver = drivers.driver)`;
const PLACES: readonly CountedPlace[] = [...LiveServer.options, 'all', 'members'];

/** When the newest sessions began, of which there are no more than that (unix ms); 0: there are no more at all. */
async function beginOfNewest(maxSessions: number, now: number, store: HistoryStore): Promise<number> {
  const [first] = await store.read(sql`SELECT began FROM sessions ORDER BY began LIMIT 1`);
  const oldest = first === undefined ? now : numberIn(first, 'began') * SECOND;
  const parts = Array.from(
    { length: Math.max(0, Math.ceil((now - oldest) / COUNTED_PART_MS)) },
    (_, index) => now - (index + 1) * COUNTED_PART_MS,
  );
  let [sum, begin] = [0, 0];
  await forEachInSlices(parts, async (from) => {
    if (begin > 0) return;
    const [count = {}] = await store.read(sql`SELECT count(*) AS n FROM sessions
      WHERE began >= ${Math.floor(from / SECOND)} AND began < ${Math.floor((from + COUNTED_PART_MS) / SECOND)}`);
    sum += numberIn(count, 'n');
    if (sum > maxSessions) begin = from + COUNTED_PART_MS;
  });
  return begin;
}

/** Of drivers whom nobody has linked, or nobody any more, less is kept. */
async function readingsOfUnlinked(
  store: HistoryStore,
  isLinked: Bounded['isLinked'],
  now: number,
): Promise<Query> {
  const oldest = Math.floor((now - MONTH_MS) / DAY);
  const rows = await store.read(sql`SELECT DISTINCT driver FROM readings WHERE day < ${oldest}`);
  const unlinked = rows.map((row) => textIn(row, 'driver')).filter((driver) => !isLinked(driver));
  return unlinked.length === 0
    ? sql`1 = 0`
    : sql`day < ${oldest} AND driver IN (${listSql(unlinked.slice(0, MAX_ROWS_DELETED).map((driver) => sql`${driver}`))})`;
}
