import { readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../../base/clock.ts';
import { blankEstimate, currentBound } from '../estimate.ts';
import { openDurableClock } from './durable-clock.ts';
import { type Change, type LedgerSnapshot, type LedgerStore, MARGIN_MS } from './ledger-store.ts';
import { prepareStatements } from './sqlite-statements.ts';

/**
 * How long to wait for another process. It is short because the whole bot is blocked meanwhile; the caller tries
 * again.
 */
const BUSY_MS = 250;
/** At startup nobody waits yet, and another process may be recovering the file of one that was killed. */
const OPEN_BUSY_MS = 5000;

/**
 * Permits in a database file, shared by the processes of one machine. `database` is the ledger's own connection: this sets the durability of everything that goes through it.
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
  database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  const time = openDurableClock(clock, options.boot === undefined ? bootId() : options.boot);

  function readSnapshot(): LedgerSnapshot {
    const stored = statements.readState();
    const now = time.now(stored?.reading ?? null);
    const estimate = stored?.estimate ?? blankEstimate(now);
    const bound = currentBound(estimate, now);
    const counts = statements.readCounts({
      now,
      window: estimate.limit.windowMs,
      span: estimate.limit.windowMs + MARGIN_MS,
      boundPermit: bound?.permit ?? 0,
      boundTakenAt: bound?.takenAt ?? 0,
      since: bound?.since ?? 0,
    });
    return { now, estimate, counts };
  }

  function write({ now }: LedgerSnapshot, { estimate, enter, answer, remove }: Change): void {
    statements.writeState(estimate, time.reading(now));
    if (enter !== undefined) {
      statements.prune(now - estimate.limit.windowMs - MARGIN_MS);
      statements.put(enter.permit, enter.flightEnd, null);
    }
    if (answer !== undefined) statements.put(answer.permit, answer.at, answer.seq);
    if (remove !== undefined) statements.remove(remove);
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
