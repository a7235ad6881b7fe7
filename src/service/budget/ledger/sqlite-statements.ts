import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { json } from '../../../base/json.ts';
import { QuotaEstimate } from '../estimate.ts';
import { ClockReading } from './durable-clock.ts';
import type { Counts, Permit } from './ledger-store.ts';

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
const COUNTS = `
  SELECT
    (SELECT count(*) FROM budget_permit) AS stored,
    (SELECT count(*) FROM budget_permit WHERE kind = 'background') AS storedBackground,
    (SELECT count(*) FROM budget_permit WHERE kind = 'interactive' AND counted_at <= :now - :span)
      AS overInteractive,
    (SELECT count(*) FROM budget_permit WHERE kind = 'background' AND counted_at <= :now - :span)
      AS overBackground,
    (SELECT count(*) FROM budget_permit WHERE kind = 'interactive' AND taken_at <= :now - :window)
      AS interactiveEarlier,
    (SELECT count(*) FROM budget_permit WHERE kind = 'interactive' AND taken_at > :now - :window / 4)
      AS interactiveQuarter,
    (SELECT count(*) FROM budget_permit WHERE answer_seq > :boundPermit AND id <> :boundPermit)
      + (SELECT count(*) FROM budget_permit WHERE answer_seq IS NULL AND counted_at > :boundTakenAt)
      AS uncounted,
    (SELECT count(*) FROM budget_permit WHERE answer_seq IS NULL AND counted_at > :now) AS inFlight,
    (SELECT count(*) FROM budget_permit
      WHERE kind IN ('interactive', 'background') AND counted_at > :now - :span AND counted_at <= :since)
      AS beforeReset,
    (SELECT min(counted_at) FROM budget_permit WHERE kind = 'interactive' AND counted_at > :now - :span)
      AS firstInteractive,
    (SELECT min(counted_at) FROM budget_permit WHERE kind = 'background' AND counted_at > :now - :span)
      AS firstBackground,
    (SELECT max(taken_at) FROM budget_permit WHERE kind = 'background') AS lastBackgroundAt`;

const StateRow = z.object({ standing: json(QuotaEstimate), reading: json(ClockReading) });

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

/** For a database that has the {@link ledgerTables}. */
export function prepareStatements(database: DatabaseSync) {
  const readState = database.prepare('SELECT standing, reading FROM budget_state WHERE id = 1');
  const writeState = database.prepare(
    'INSERT INTO budget_state VALUES (1, ?, ?) ON CONFLICT DO UPDATE SET standing = excluded.standing, reading = excluded.reading',
  );
  const readCounts = database.prepare(COUNTS);
  const put = database.prepare('INSERT OR REPLACE INTO budget_permit VALUES (?, ?, ?, ?, ?)');
  const remove = database.prepare('DELETE FROM budget_permit WHERE id = ?');
  // The kinds are named so that the index is used.
  const prune = database.prepare(
    "DELETE FROM budget_permit WHERE kind IN ('interactive', 'background') AND counted_at <= ?",
  );
  return {
    /** Null where there is no readable state. */
    readState: (): { readonly estimate: QuotaEstimate; readonly reading: ClockReading } | null => {
      const row = StateRow.safeParse(readState.get());
      return row.success ? { estimate: row.data.standing, reading: row.data.reading } : null;
    },
    writeState: (estimate: QuotaEstimate, reading: ClockReading): void => {
      writeState.run(JSON.stringify(estimate), JSON.stringify(reading));
    },
    /** `span`: the window and its margin. */
    readCounts: (edges: {
      readonly now: number;
      readonly window: number;
      readonly span: number;
      readonly boundPermit: number;
      readonly boundTakenAt: number;
      readonly since: number;
    }): Counts => countsOf(CountsRow.parse(readCounts.get({ ...edges })), edges.span),
    /** `answer`: its position in the order of permits and answers; null while there is none. */
    put: ({ id, kind, takenAt }: Permit, countedAt: number, answer: number | null): void => {
      put.run(id, kind, takenAt, countedAt, answer);
    },
    remove: ({ id }: Permit): void => void remove.run(id),
    prune: (countedAt: number): void => void prune.run(countedAt),
  };
}
