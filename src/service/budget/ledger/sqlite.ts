import { readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { Clock } from '../../../base/clock.ts';
import { jsonText } from '../../../base/json.ts';
import { blankEstimate, currentBound, QuotaEstimate } from '../estimate.ts';
import { ClockReading, openDurableClock } from './durable-clock.ts';
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

/** Prepares statements of the store and of a restored file, for a database that has the {@link ledgerTables}. */
function prepareStatements(database: DatabaseSync) {
  const readState = database.prepare('SELECT standing, reading FROM budget_state WHERE id = 1');
  const writeState = database.prepare(
    'INSERT INTO budget_state VALUES (1, ?, ?) ON CONFLICT DO UPDATE SET standing = excluded.standing, reading = excluded.reading',
  );
  const put = database.prepare('INSERT OR REPLACE INTO budget_permit VALUES (?, ?, ?, ?, ?)');
  return {
    /** Null where there is no readable state. */
    readState: (): { readonly estimate: QuotaEstimate; readonly reading: ClockReading } | null => {
      const row = StateRow.safeParse(readState.get());
      return row.success ? { estimate: row.data.standing, reading: row.data.reading } : null;
    },
    writeState: (estimate: QuotaEstimate, reading: ClockReading): void => {
      writeState.run(JSON.stringify(estimate), JSON.stringify(reading));
    },
    /** `answer`: its position in the order of permits and answers; null while there is none. */
    put: ({ id, kind, takenAt }: Permit, countedAt: number, answer: number | null): void => {
      put.run(id, kind, takenAt, countedAt, answer);
    },
  };
}

/**
 * How long to wait for another process. It is short because the whole bot is blocked meanwhile; the caller tries
 * again.
 */
const BUSY_MS = 250;
/** At startup nobody waits yet, and another process may be recovering the file of one that was killed. */
const OPEN_BUSY_MS = 5000;

/**
 * Permits in a database file, shared by the processes of one machine. `database` is the ledger's own connection: this sets
 * the durability of everything that goes through it.
 */
export function openSqliteLedgerStore(options: {
  readonly database: DatabaseSync;
  readonly clock: Clock;
  /** See `ClockReading`; by default the machine's own. */
  readonly boot?: string | null;
}): LedgerStore {
  const { database, clock } = options;
  database.exec(`PRAGMA busy_timeout = ${OPEN_BUSY_MS}; PRAGMA journal_mode = WAL`);
  const statements = prepareStatements(database);
  const readCounts = database.prepare(COUNTS);
  const remove = database.prepare('DELETE FROM budget_permit WHERE id = ?');
  // The kinds are named so that the index is used.
  const prune = database.prepare(
    "DELETE FROM budget_permit WHERE kind IN ('interactive', 'background') AND counted_at <= ?",
  );
  database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  const time = openDurableClock(clock, options.boot === undefined ? bootId() : options.boot);

  function readSnapshot(): LedgerSnapshot {
    const state = statements.readState();
    const now = time.now(state?.reading ?? null);
    const estimate = state?.estimate ?? blankEstimate(now);
    const bound = currentBound(estimate, now);
    const span = estimate.limit.windowMs + MARGIN_MS;
    const row = readCounts.get({
      now,
      window: estimate.limit.windowMs,
      span,
      boundPermit: bound?.permit ?? 0,
      boundTakenAt: bound?.takenAt ?? 0,
      since: bound?.since ?? 0,
    });
    return { now, estimate, counts: countsOf(CountsRow.parse(row), span) };
  }

  function write({ now }: LedgerSnapshot, change: Change): void {
    const { estimate, enter, answer } = change;
    statements.writeState(estimate, time.reading(now));
    if (enter !== undefined) {
      prune.run(now - estimate.limit.windowMs - MARGIN_MS);
      statements.put(enter.permit, enter.flightEnd, null);
    }
    if (answer !== undefined) statements.put(answer.permit, answer.at, answer.seq);
    if (change.remove !== undefined) remove.run(change.remove.id);
  }

  return {
    // The transaction is synchronous, so no other one of this process can interleave.
    transaction: async (decide, durable) => {
      database.exec(`PRAGMA synchronous = ${durable ? 'FULL' : 'NORMAL'}`);
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

/** Linux has an id for each boot; elsewhere the durable clock works without. */
function bootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
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
export function carryLedger(replaced: DatabaseSync | null, restored: DatabaseSync): void {
  const statements = prepareStatements(restored);
  const latest = replaced === null ? null : readLedger(replaced);
  restored.exec('BEGIN IMMEDIATE');
  if (latest === null) {
    const ownState = statements.readState();
    if (ownState !== null)
      statements.writeState({ ...ownState.estimate, bound: null, probe: null }, ownState.reading);
  } else {
    for (const { id, kind, taken_at: takenAt, counted_at, answer_seq } of latest.permits)
      statements.put({ id, kind, takenAt }, counted_at, answer_seq);
    statements.writeState(latest.state.estimate, latest.state.reading);
  }
  restored.exec('COMMIT');
}

/** Null where there is none, or it cannot be read to the end. */
function readLedger(database: DatabaseSync) {
  try {
    const state = prepareStatements(database).readState();
    const permits = z.array(PermitRow).parse(database.prepare('SELECT * FROM budget_permit').all());
    return state === null ? null : { state, permits };
  } catch {
    return null;
  }
}
