/** The right to work, as locks of the database: one process has a shard, and others wait for it. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { z } from 'zod';
import { type Clock, sleep } from '../../base/clock.ts';
import type { ShardsSetting } from '../../base/config/shards-setting.ts';
import { SECOND } from '../../base/duration.ts';
import { StartError, StoreError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { type Query, type Steps, sql } from '../../base/sql.ts';
import type { Session } from './session.ts';

/** Shards of a number. All that Discord recommends are shard 0 of 0, so that they fit beside no other range. */
const Range = z.object({ first: z.number(), last: z.number(), total: z.number() });
type Range = z.output<typeof Range>;

/** Processes that work. A row without its locks is that of a process that did not end in order. */
export const holdersTable = `
  CREATE TABLE IF NOT EXISTS holders (
    first INTEGER NOT NULL, last INTEGER NOT NULL, total INTEGER NOT NULL, machine TEXT NOT NULL, process TEXT NOT NULL
  ) STRICT;
`;
const Holder = Range.extend({ machine: z.string(), process: z.string() });
type Holder = z.output<typeof Holder>;
const Holders = z.array(Holder);

/** First keys of the locks. The second key is the shard, or the first shard of the range that a process waits for. */
const SHARD = 1_885_958_145;
const WAITING = 1_885_958_146;

/** Age of the newest answered statement, in ms, after which the lock may be another's: the server ends a silent session after ten seconds. */
export const SURE_MS = 7 * SECOND;
/** Interval between two looks of a process that waits, in ms. */
const LOOK_INTERVAL_MS = 500;

export interface LockParts {
  readonly shards: ShardsSetting;
  /** Called with the machine of the process that works, when this one begins to wait. What it throws ends the start. */
  readonly standBy: (machine: string) => void;
}

export function createLock({ shards, standBy, clock, log }: LockParts & { clock: Clock; log: Log }) {
  const me = randomUUID();
  const range: Range = shards === 'auto' ? { first: 0, last: 0, total: 0 } : shards;
  const { first, last, total } = range;
  const lost = Promise.withResolvers<void>();
  let [isHolder, isLost] = [false, false];
  let isAfterCrash = false;
  let sessions = 0;

  /** Query of the processes that work: a session with the first shard of a row has all of them. */
  const holders = sql`SELECT first, last, total, machine, process FROM holders WHERE ${isLocked(SHARD, sql`first`)}`;
  const findOther = (rows: readonly unknown[]): Holder | null =>
    Holders.parse(rows).find((row) => row.process !== me && overlaps(row, range)) ?? null;

  /** Takes the locks and writes the row, as one step for all who try. Returns who has the locks instead. */
  function* takeLocks(): Steps<Holder | null> {
    const other = findOther(yield holders);
    if (other !== null) return other;
    const isNamed = (yield sql`SELECT 1 FROM holders WHERE process = ${me}`).length > 0;
    if (isHolder && !isNamed) throw passOn();
    const locks = yield sql`SELECT pg_try_advisory_lock(${SHARD}, shard) AS "isTaken"
      FROM generate_series(${first}::int, ${last}::int) AS shard`;
    if (!locks.every(({ isTaken }) => isTaken)) {
      // The server has not noticed yet that an earlier session has ended.
      yield sql`SELECT pg_advisory_unlock_all()`;
      return { ...range, machine: '', process: me };
    }
    const earlier = yield sql`DELETE FROM holders
      WHERE total <> ${total} OR (first <= ${last} AND last >= ${first}) RETURNING process`;
    isAfterCrash ||= !isHolder && earlier.length > 0;
    yield sql`INSERT INTO holders VALUES (${first}, ${last}, ${total}, ${hostname()}, ${me})`;
    return null;
  }

  function passOn(): StoreError {
    isLost = true;
    lost.resolve();
    return new StoreError('another process has taken over');
  }

  return {
    /**
     * Resolves when the session has the locks: at once, or when the process that has them ends. Rejects with a
     * {@link StartError} if another process has a part of the range, and for good once another one has taken over.
     */
    async take(session: Session, signal: AbortSignal): Promise<void> {
      sessions += 1;
      // After an outage the process at work is first. One that was cut off is not sure any more by then.
      if (sessions > 1 && !isHolder) await sleep(clock, SURE_MS, signal);
      let seen: string | null = null;
      for (;;) {
        const other = findOther(await session.query(holders)) ?? (await session.transaction(takeLocks));
        if (other === null) break;
        if (isHolder && other.process !== me) throw passOn();
        if (seen !== other.process && other.process !== me) {
          if (rangeName(other) !== rangeName(range)) throw refuse(other);
          standBy(other.machine);
          log.info({ host: other.machine }, 'stands by: another process has the shards');
          if (seen === null) await session.query(sql`SELECT pg_advisory_lock_shared(${WAITING}, ${first})`);
          seen = other.process;
        }
        await sleep(clock, LOOK_INTERVAL_MS, signal);
      }
      isHolder = true;
      if (seen === null) return;
      await session.query(sql`SELECT pg_advisory_unlock_shared(${WAITING}, ${first})`);
      log.info('takes over the shards');
    },
    /** Gives the locks back. The session may take them no more. */
    release: (session: Session): Promise<void> =>
      session.transaction(function* () {
        yield sql`DELETE FROM holders WHERE process = ${me}`;
        yield sql`SELECT pg_advisory_unlock_all()`;
      }),
    /** Resolves with whether another process waits for the range. */
    hasStandby: async (session: Session): Promise<boolean> =>
      (await session.query(sql`SELECT 1 WHERE ${isLocked(WAITING, sql`${first}`)}`)).length > 0,
    /** Resolves with how many processes work. */
    countHolders: async (session: Session): Promise<number> => (await session.query(holders)).length,
    isAfterCrash: () => isAfterCrash,
    /** Rejects with the error; stays pending once another process has taken over. */
    unlessLost: (error: unknown): Promise<never> => (isLost ? new Promise(() => {}) : Promise.reject(error)),
    lost: lost.promise,
  };

  function refuse(other: Holder): StartError {
    return new StartError(
      `SHARDS: another process, on ${other.machine}, has the shards ${rangeName(other)}, which share some with ${rangeName(range)}; stop it, or name ranges of one number that do not overlap`,
    );
  }
}

/** Ranges of different totals share guilds. */
function overlaps(a: Range, b: Range): boolean {
  return a.total !== b.total || (a.first <= b.last && b.first <= a.last);
}

/** Formats a range as in the setting SHARDS. */
function rangeName({ first, last, total }: Range): string {
  return total === 0 ? 'auto' : `${first}-${last}/${total}`;
}

/** Returns the condition that a session has the lock. */
function isLocked(kind: number, key: Query): Query {
  return sql`EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND classid = ${kind}
    AND objid::bigint = ${key} AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;
}
