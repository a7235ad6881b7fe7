import type { Clock } from '../../base/clock.ts';
import { isPart } from '../../base/config/shards-setting.ts';
import type { PostgresAddress } from '../../base/config/store-place.ts';
import type { StartError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { retryWhileAway, START_TIMEOUT_MS } from '../../base/retry-while-away.ts';
import { type Sql, sql } from '../../base/sql.ts';
import { createNamespaces } from '../namespaces.ts';
import { readOnce } from '../read-once.ts';
import type { Stores } from '../stores.ts';
import { createDocuments } from '../tables/documents.ts';
import { createEntries } from '../tables/entries.ts';
import { keepSession } from './keep-session.ts';
import { createLock, type LockParts, SURE_MS } from './lock.ts';
import { markWritten, prepareDatabase, prepareLock } from './prepare.ts';
import { openSession, type Session } from './session.ts';
import { toStartError } from './trouble.ts';

/** Sessions that only read, beside the one that writes. */
const READERS = 3;

interface OpenParts extends LockParts {
  readonly log: Log;
  readonly clock: Clock;
  /** Aborted when the process stops. */
  readonly signal?: AbortSignal;
  /** Longest wait for the server, in ms. */
  readonly timeoutMs?: number;
}

/**
 * One PostgreSQL database for all processes of one bot, with these tables of other modules; waited for where it is not there
 * yet. Resolves when this process has the right to work. Rejects with a {@link StartError} that says what is wrong with the
 * database. Later outages are logged, and recovered from.
 */
export async function openPostgresStores(
  address: PostgresAddress,
  { log, clock, signal, timeoutMs = START_TIMEOUT_MS, ...lockParts }: OpenParts,
  tables: string,
): Promise<Stores> {
  const takenOver = Promise.withResolvers<StartError>();
  const lock = createLock({ ...lockParts, clock, log });
  const open = (isReadOnly: boolean) => (): Promise<Session> => openSession(address, { clock, isReadOnly });
  const openForLock = async (): Promise<Session> => {
    const session = await open(false)();
    return orEnded(session, () => session.transaction(prepareLock));
  };
  let isWaiting = false;
  let first: Session | null = await retryWhileAway(openForLock, {
    clock,
    timeoutMs,
    isAway: (error) => toStartError(error).exitCode === 75,
    onFirstFailure(error) {
      isWaiting = true;
      log.warn({ seconds: timeoutMs / 1000, err: error }, 'waiting for PostgreSQL');
    },
  }).catch((error: unknown) => {
    throw toStartError(error);
  });
  if (isWaiting) log.info('PostgreSQL is there');
  let isAtWork = false;
  const writer = keepSession(null, {
    async open(stopping) {
      const session = first ?? (await openForLock());
      first = null;
      return orEnded(session, async () => {
        await lock.take(session, stopping);
        await session.transaction(() => prepareDatabase(tables));
      });
    },
    clock,
    refused: takenOver.resolve,
    away: (error) => log[isAtWork ? 'debug' : 'warn']({ err: error }, 'PostgreSQL is unreachable'),
    back: () => log.debug('PostgreSQL is back'),
  });
  signal?.addEventListener('abort', writer.close);
  const openReaders = async () => {
    await Promise.race([writer.opened, takenOver.promise.then((why) => Promise.reject(why))]);
    isAtWork = true;
    return Promise.all(
      Array.from({ length: READERS }, async () =>
        keepSession(await open(true)(), { open: open(true), clock, refused: takenOver.resolve }),
      ),
    );
  };
  const readers = await openReaders().catch((error: unknown) => {
    writer.close();
    throw toStartError(error);
  });
  let reads = 0;
  const database = databaseOf(
    { transaction: async (work, durable) => writer.current().transaction(work, durable) },
    async (query) => {
      reads += 1;
      return (readers[reads % READERS] ?? writer).current().query(query);
    },
  );
  return {
    isShared: true,
    hasPeers: isPart(lockParts.shards),
    lock: {
      isSure: () => writer.silentMs() < SURE_MS,
      isAfterCrash: lock.isAfterCrash(),
      hasStandby: async () => lock.hasStandby(writer.current()),
      countHolders: async () => lock.countHolders(writer.current()),
      lost: lock.lost,
      async release() {
        await lock.release(writer.current());
        writer.close();
      },
    },
    ledger: database,
    namespace: createNamespaces((name, limits) => createEntries(database, name, limits)),
    documents: readOnce(createDocuments(database), clock, { isSoleWriter: !isPart(lockParts.shards) }),
    // Rows are gone at once. What the database, its replicas and its backups keep of them is its operator's.
    clean: ({ copiesCleaned }) => copiesCleaned(),
    history: { ...database, scrub: async () => [], earlier: null },
    historyTrouble: null,
    historyCopies: () => [],
    // The end of a process after which another one has taken over is no fault of the database.
    checkWrites: () => database.write(markWritten).catch((error: unknown) => lock.unlessLost(error)),
    copies: null,
    takenOver: takenOver.promise,
    async close() {
      for (const session of [writer, ...readers]) session.close();
    },
  };
}

/** Resolves with the session after the work, and ends it if that fails. */
async function orEnded(session: Session, work: () => Promise<void>): Promise<Session> {
  try {
    await work();
    return session;
  } catch (error) {
    session.end();
    throw error;
  }
}

/** The database over a session that writes, and others that read. */
export function databaseOf({ transaction }: Pick<Session, 'transaction'>, read: Sql['read']): Sql {
  return {
    now: () => sql`floor(extract(epoch FROM clock_timestamp()) * 1000)::float8`,
    rowsAtOnce: 1000,
    read,
    write: transaction,
  };
}
