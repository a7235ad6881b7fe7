import { z } from 'zod';
import { jsonText } from '../../../base/json.ts';
import { type Sql, type Steps, sql } from '../../../base/sql.ts';
import { blankEstimate, currentBound, QuotaEstimate } from '../estimate.ts';
import { ClockReading, type LedgerClock } from './durable-clock.ts';
import {
  type Change,
  type Counts,
  type LedgerSnapshot,
  type LedgerStore,
  MARGIN_MS,
  type Permit,
} from './ledger-store.ts';

export const ledgerTables = `
  CREATE TABLE budget_permit (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('interactive', 'background')),
    taken_at REAL NOT NULL,
    -- When the service counted it at the latest: the answer, or the end of the flight while there is none.
    counted_at REAL NOT NULL,
    answer_seq INTEGER
  ) STRICT;
  CREATE INDEX budget_permit_counted ON budget_permit (kind, counted_at);
  CREATE INDEX budget_permit_taken ON budget_permit (kind, taken_at);
  CREATE INDEX budget_permit_answer ON budget_permit (answer_seq, counted_at);
  CREATE TABLE budget_state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    -- JSON of a QuotaEstimate, and of what the clocks said when it was written.
    standing TEXT NOT NULL,
    reading TEXT NOT NULL
  ) STRICT;
`;

/**
 * Nearly every stored permit is in force, and SQLite takes all rows of a table together but those of a range one by
 * one. So the few that do not count are subtracted.
 */
function countsQuery({ now, estimate }: Pick<LedgerSnapshot, 'now' | 'estimate'>) {
  const { windowMs } = estimate.limit;
  const edge = now - windowMs - MARGIN_MS;
  const bound = currentBound(estimate, now);
  const [boundPermit, boundTakenAt] = [bound?.permit ?? 0, bound?.takenAt ?? 0];
  return sql`
  SELECT
    (SELECT count(*) FROM budget_permit) AS "stored",
    (SELECT count(*) FROM budget_permit WHERE kind = 'background') AS "storedBackground",
    (SELECT count(*) FROM budget_permit WHERE kind = 'interactive' AND counted_at <= ${edge})
      AS "overInteractive",
    (SELECT count(*) FROM budget_permit WHERE kind = 'background' AND counted_at <= ${edge})
      AS "overBackground",
    (SELECT count(*) FROM budget_permit WHERE kind = 'interactive' AND taken_at <= ${now - windowMs})
      AS "interactiveEarlier",
    (SELECT count(*) FROM budget_permit WHERE kind = 'interactive' AND taken_at > ${now - windowMs / 4})
      AS "interactiveQuarter",
    (SELECT count(*) FROM budget_permit WHERE answer_seq > ${boundPermit} AND id <> ${boundPermit})
      + (SELECT count(*) FROM budget_permit WHERE answer_seq IS NULL AND counted_at > ${boundTakenAt})
      AS "uncounted",
    (SELECT count(*) FROM budget_permit WHERE answer_seq IS NULL AND counted_at > ${now}) AS "inFlight",
    (SELECT count(*) FROM budget_permit
      WHERE kind IN ('interactive', 'background') AND counted_at > ${edge} AND counted_at <= ${bound?.since ?? 0})
      AS "beforeReset",
    (SELECT min(counted_at) FROM budget_permit WHERE kind = 'interactive' AND counted_at > ${edge})
      AS "firstInteractive",
    (SELECT min(counted_at) FROM budget_permit WHERE kind = 'background' AND counted_at > ${edge})
      AS "firstBackground",
    (SELECT max(taken_at) FROM budget_permit WHERE kind = 'background') AS "lastBackgroundAt"`;
}

const StateRow = z.object({ standing: jsonText(QuotaEstimate), reading: jsonText(ClockReading) });

const CountsRow = z.object({
  stored: z.number(),
  storedBackground: z.number(),
  overInteractive: z.number(),
  overBackground: z.number(),
  interactiveEarlier: z.number(),
  interactiveQuarter: z.number(),
  uncounted: z.number(),
  inFlight: z.number(),
  beforeReset: z.number(),
  firstInteractive: z.number().nullable(),
  firstBackground: z.number().nullable(),
  lastBackgroundAt: z.number().nullable(),
});

function countsOf(row: z.infer<typeof CountsRow>, span: number): Counts {
  const storedInteractive = row.stored - row.storedBackground;
  const interactive = storedInteractive - row.overInteractive;
  const background = row.storedBackground - row.overBackground;
  const release = (countedAt: number | null): number | null => (countedAt === null ? null : countedAt + span);
  const firsts = [row.firstInteractive, row.firstBackground].filter((at) => at !== null);
  return {
    interactive,
    background,
    interactiveLately: storedInteractive - row.interactiveEarlier,
    interactiveQuarter: row.interactiveQuarter,
    uncounted: row.uncounted,
    inFlight: row.inFlight,
    sinceReset: interactive + background - row.beforeReset,
    nextRelease: release(firsts.length === 0 ? null : Math.min(...firsts)),
    nextBackgroundRelease: release(row.firstBackground),
    lastBackgroundAt: row.lastBackgroundAt,
  };
}

interface State {
  readonly estimate: QuotaEstimate;
  readonly reading: ClockReading;
}

/** Null where there is no readable state. */
function stateOf(row: unknown): State | null {
  const { data } = StateRow.safeParse(row);
  return data === undefined ? null : { estimate: data.standing, reading: data.reading };
}

function* writeState({ estimate, reading }: State): Steps<void> {
  yield sql`INSERT INTO budget_state (id, standing, reading)
    VALUES (1, ${JSON.stringify(estimate)}, ${JSON.stringify(reading)})
    ON CONFLICT (id) DO UPDATE SET standing = excluded.standing, reading = excluded.reading`;
}

/** `answer`: its position in the order of permits and answers; null while there is none. */
function* putPermit({ id, kind, takenAt }: Permit, countedAt: number, answer: number | null): Steps<void> {
  yield sql`INSERT INTO budget_permit (id, kind, taken_at, counted_at, answer_seq)
    VALUES (${id}, ${kind}, ${takenAt}, ${countedAt}, ${answer})
    ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, taken_at = excluded.taken_at,
      counted_at = excluded.counted_at, answer_seq = excluded.answer_seq`;
}

function* writeChange({ now }: LedgerSnapshot, change: Change): Steps<void> {
  const { estimate, enter, answer, remove } = change;
  if (enter !== undefined) {
    // The kinds are named so that the index is used.
    yield sql`DELETE FROM budget_permit WHERE kind IN ('interactive', 'background')
      AND counted_at <= ${now - estimate.limit.windowMs - MARGIN_MS}`;
    yield* putPermit(enter.permit, enter.flightEnd, null);
  }
  if (answer !== undefined) yield* putPermit(answer.permit, answer.at, answer.seq);
  if (remove !== undefined) yield sql`DELETE FROM budget_permit WHERE id = ${remove.id}`;
}

const Wall = z.object({ wall: z.number() });

/** Permits in a database that has the {@link ledgerTables}, shared by all processes that use it. */
export function createLedgerStore(database: Sql, time: LedgerClock): LedgerStore {
  return {
    transaction: (decide, durable) =>
      database.write(function* () {
        const [row] = yield sql`SELECT ${database.now()} AS wall, standing, reading
          FROM (SELECT 1) AS always LEFT JOIN budget_state ON id = 1`;
        const { wall } = Wall.parse(row);
        const state = stateOf(row);
        const now = time.now(state?.reading ?? null, wall);
        const estimate = state?.estimate ?? blankEstimate(now);
        const [counted] = yield countsQuery({ now, estimate });
        const counts = countsOf(CountsRow.parse(counted), estimate.limit.windowMs + MARGIN_MS);
        const snapshot = { now, estimate, counts };
        const { change, result } = decide(snapshot);
        // Time goes on from here if the clock was set back.
        const isSetBack = state !== null && wall < state.reading.wall;
        if (change !== null || isSetBack)
          yield* writeState({ estimate: change?.estimate ?? estimate, reading: time.reading(now, wall) });
        if (change !== null) yield* writeChange(snapshot, change);
        return result;
      }, durable),
  };
}

const PermitRow = z.object({
  id: z.int(),
  kind: z.enum(['interactive', 'background']),
  taken_at: z.number(),
  counted_at: z.number(),
  answer_seq: z.int().nullable(),
});

/**
 * Gives a restored file the ledger of the file that it replaces: its own is older, and requests sent since then
 * would be sent again. Where that cannot be read, what the restored one knows of the service's window is
 * dropped, so that one request finds out how much is left before any other is sent.
 */
export async function carryLedger(replaced: Sql | null, restored: Sql): Promise<void> {
  const latest = replaced === null ? null : await readLedger(replaced);
  const own = await readState(restored);
  await restored.write(function* () {
    if (latest !== null) {
      for (const { id, kind, taken_at: takenAt, counted_at, answer_seq } of latest.permits)
        yield* putPermit({ id, kind, takenAt }, counted_at, answer_seq);
      yield* writeState(latest.state);
    } else if (own !== null)
      yield* writeState({ ...own, estimate: { ...own.estimate, bound: null, probe: null } });
  });
}

async function readState(database: Sql): Promise<State | null> {
  return stateOf((await database.read(sql`SELECT standing, reading FROM budget_state WHERE id = 1`))[0]);
}

/** Null where there is none, or it cannot be read to the end. */
async function readLedger(database: Sql) {
  try {
    const state = await readState(database);
    const permits = z.array(PermitRow).parse(await database.read(sql`SELECT * FROM budget_permit`));
    return state === null ? null : { state, permits };
  } catch {
    return null;
  }
}
