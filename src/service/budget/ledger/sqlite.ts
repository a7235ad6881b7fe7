import { readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { Clock } from '../../../clock.ts';
import { json } from '../../json.ts';
import { blankEstimate, currentBound, QuotaEstimate } from '../estimate.ts';
import { ClockReading, openDurableClock } from './durable-clock.ts';
import {
  type Change,
  type Counts,
  type LedgerSnapshot,
  type LedgerStore,
  MARGIN_MS,
} from './ledger-store.ts';

/** How long to wait for another process. The whole bot stands still meanwhile, so it is short; the caller tries again. */
const BUSY_MS = 250;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS budget_permit (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('interactive', 'background')),
    taken_at REAL NOT NULL,
    -- When the service counted it at the latest: the answer, or the end of the flight while there is none.
    counted_at REAL NOT NULL,
    answer_seq INTEGER
  ) STRICT;
  CREATE INDEX IF NOT EXISTS budget_permit_counted ON budget_permit (kind, counted_at);
  CREATE INDEX IF NOT EXISTS budget_permit_taken ON budget_permit (kind, taken_at);
  CREATE INDEX IF NOT EXISTS budget_permit_answer ON budget_permit (answer_seq, counted_at);
  CREATE TABLE IF NOT EXISTS budget_state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    -- JSON of a QuotaEstimate, and of what the clocks said when it was written.
    standing TEXT NOT NULL,
    reading TEXT NOT NULL
  ) STRICT;
`;

const COUNTS = `
  WITH
    first_interactive AS (
      SELECT min(counted_at) AS at FROM budget_permit WHERE kind = 'interactive' AND counted_at > :now - :span),
    first_background AS (
      SELECT min(counted_at) AS at FROM budget_permit WHERE kind = 'background' AND counted_at > :now - :span)
  SELECT
    (SELECT count(*) FROM budget_permit WHERE kind = 'interactive' AND counted_at > :now - :span) AS interactive,
    (SELECT count(*) FROM budget_permit WHERE kind = 'background' AND counted_at > :now - :span) AS background,
    (SELECT count(*) FROM budget_permit WHERE kind = 'interactive' AND taken_at > :now - :window)
      AS interactiveLately,
    (SELECT count(*) FROM budget_permit WHERE kind = 'interactive' AND taken_at > :now - :window / 4)
      AS interactiveQuarter,
    (SELECT count(*) FROM budget_permit WHERE answer_seq > :boundPermit AND id <> :boundPermit)
      + (SELECT count(*) FROM budget_permit WHERE answer_seq IS NULL AND counted_at > :boundTakenAt)
      AS uncounted,
    (SELECT count(*) FROM budget_permit WHERE answer_seq IS NULL AND counted_at > :now) AS inFlight,
    (SELECT count(*) FROM budget_permit WHERE kind = 'interactive' AND counted_at > max(:since, :now - :span))
      + (SELECT count(*) FROM budget_permit WHERE kind = 'background' AND counted_at > max(:since, :now - :span))
      AS sinceReset,
    :span + min(
      coalesce(first_interactive.at, first_background.at),
      coalesce(first_background.at, first_interactive.at)) AS nextRelease,
    :span + first_background.at AS nextBackgroundRelease,
    (SELECT max(taken_at) FROM budget_permit WHERE kind = 'background') AS lastBackgroundAt
  FROM first_interactive, first_background`;

const StateRow = z.object({ standing: json(QuotaEstimate), reading: json(ClockReading) });

const CountsRow: z.ZodType<Counts> = z.object({
  interactive: z.number(),
  background: z.number(),
  interactiveLately: z.number(),
  interactiveQuarter: z.number(),
  uncounted: z.number(),
  inFlight: z.number(),
  sinceReset: z.number(),
  nextRelease: z.number().nullable(),
  nextBackgroundRelease: z.number().nullable(),
  lastBackgroundAt: z.number().nullable(),
});

/**
 * Permits in a database file, shared by the processes of one machine. Every step is on the disk before it is
 * answered. `database` is a connection of the store's own: it sets the durability of all that goes through it.
 */
export function openSqliteLedgerStore(options: {
  readonly database: DatabaseSync;
  readonly clock: Clock;
  /** See {@link ClockReading}; the machine's own unless told otherwise. */
  readonly boot?: string | null;
}): LedgerStore {
  const { database, clock } = options;
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = ${BUSY_MS};`);
  database.exec(SCHEMA);
  const durable = openDurableClock(clock, options.boot === undefined ? bootId() : options.boot);

  const readState = database.prepare('SELECT standing, reading FROM budget_state WHERE id = 1');
  const writeState = database.prepare(
    'INSERT INTO budget_state VALUES (1, ?, ?) ON CONFLICT DO UPDATE SET standing = excluded.standing, reading = excluded.reading',
  );
  const readCounts = database.prepare(COUNTS);
  const put = database.prepare('INSERT OR REPLACE INTO budget_permit VALUES (?, ?, ?, ?, ?)');
  const remove = database.prepare('DELETE FROM budget_permit WHERE id = ?');
  const prune = database.prepare('DELETE FROM budget_permit WHERE counted_at <= ?');

  function readSnapshot(): LedgerSnapshot {
    const row = StateRow.safeParse(readState.get());
    const now = durable.now(row.success ? row.data.reading : null);
    const estimate = row.success ? row.data.standing : blankEstimate(now);
    const bound = currentBound(estimate, now);
    const counts = CountsRow.parse(
      readCounts.get({
        now,
        window: estimate.limit.windowMs,
        span: estimate.limit.windowMs + MARGIN_MS,
        boundPermit: bound?.permit ?? 0,
        boundTakenAt: bound?.takenAt ?? 0,
        since: bound?.since ?? 0,
      }),
    );
    return { now, estimate, counts };
  }

  function write({ now }: LedgerSnapshot, { estimate, enter, answer, remove: unsent }: Change): void {
    writeState.run(JSON.stringify(estimate), JSON.stringify(durable.reading(now)));
    if (enter !== undefined) {
      const { id, kind, takenAt } = enter.permit;
      prune.run(now - estimate.limit.windowMs - MARGIN_MS);
      put.run(id, kind, takenAt, enter.flightEnd, null);
    }
    if (answer !== undefined) {
      const { id, kind, takenAt } = answer.permit;
      put.run(id, kind, takenAt, answer.at, answer.seq);
    }
    if (unsent !== undefined) remove.run(unsent.id);
  }

  return {
    // One step is one synchronous transaction, so no other step of this process can come between.
    transaction: async (decide) => {
      database.exec('BEGIN IMMEDIATE');
      try {
        const snapshot = readSnapshot();
        const { change, result } = decide(snapshot);
        if (change !== null) write(snapshot, change);
        database.exec('COMMIT');
        return result;
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
    },
    close: async () => database.close(),
  };
}

/** Linux tells one start of the machine from the next; elsewhere {@link openDurableClock} does without. */
function bootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}
