/** One session of PostgreSQL: it has one connection, tells when that has ended, and never comes back. */
import { Socket } from 'node:net';
import pg from 'pg';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import type { PostgresAddress } from '../../base/config/store-place.ts';
import { SECOND } from '../../base/duration.ts';
import { StartError, StoreError } from '../../base/errors.ts';
import { createJob } from '../../base/job.ts';
import { createMutex } from '../../base/mutex.ts';
import { type Query, type Row, type SqlValue, type Steps, sql } from '../../base/sql.ts';
import { POOLER, TOO_OLD, toStoreError } from './trouble.ts';

export interface Session {
  /** Runs one statement. Statements and transactions of a session run one after the other. */
  query(query: Query): Promise<readonly Row[]>;
  /** Runs a transaction; no other session is in one meanwhile. `durable`: it resolves once it survives a power cut. */
  transaction<Result>(work: () => Steps<Result>, durable?: boolean): Promise<Result>;
  /** Age in ms of the newest statement that has been answered, from when it was sent, by the larger of both clocks. */
  silentMs(): number;
  /** Resolves when the session is over, with the reason. */
  readonly ended: Promise<StoreError>;
  end(): void;
}

/** Name of the schema with all tables, since the database may have other uses. */
export const SCHEMA = 'pitwall';

/**
 * Settings of each session. The server ends a session that is silent for whatever reason, a frozen process included: TCP's own
 * keepalive is answered by the kernel of its machine.
 */
const SETTINGS = {
  idle_session_timeout: '10s',
  idle_in_transaction_session_timeout: '10s',
  tcp_user_timeout: '10s',
  statement_timeout: '3s',
  search_path: SCHEMA,
  client_min_messages: 'warning',
};
/** Interval between two statements, at most, in ms. */
const BEAT_MS = 2 * SECOND;
/** Wait for an answer in ms, after which the session is over: well before the server ends it. */
const ANSWER_TIMEOUT_MS = 5 * SECOND;
const CONNECT_TIMEOUT_MS = 2 * SECOND;
/** The lock that each transaction takes, so that there is one writer, as in SQLite. */
const WRITING = "hashtext('pitwall'), 1";

/** OID of `bigint`, which comes as text. All of ours are safe integers. */
const BIGINT = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) => (id === BIGINT ? Number : pg.types.getTypeParser(id, format)),
};

const Facts = z.tuple([z.object({ version: z.number(), idle: z.string(), isReplica: z.boolean() })]);

/** Rejects with a {@link StartError} if another attempt is pointless, else with a {@link StoreError}. */
export async function openSession(
  address: PostgresAddress,
  { clock, isReadOnly }: { readonly clock: Clock; readonly isReadOnly: boolean },
): Promise<Session> {
  const settings = { ...SETTINGS, ...(isReadOnly ? { default_transaction_read_only: 'on' } : {}) };
  const socket = new Socket();
  const client = new pg.Client({
    host: address.host,
    port: address.port,
    user: address.user,
    database: address.database,
    ...(address.password === null ? {} : { password: address.password }),
    ssl: address.isEncrypted,
    application_name: 'pitwall',
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    stream: () => socket,
    types,
  });
  const moment = () => ({ monotonic: clock.monotonic(), wall: clock.now() });
  const over = Promise.withResolvers<StoreError>();
  const inTurn = createMutex();
  let answered = moment();
  let reason: StoreError | null = null;

  function finish(error: unknown): void {
    reason ??= toStoreError(error);
    void beat.stop();
    socket.destroy();
    over.resolve(reason);
  }
  client.on('error', finish);
  client.on('end', () => finish(new Error('the connection has ended')));

  async function send({ parts, values }: Query): Promise<readonly Row[]> {
    if (reason !== null) throw reason;
    const sentAt = moment();
    const giveUp = (): void => finish(new Error(`no answer within ${ANSWER_TIMEOUT_MS} ms`));
    // A process that was held up runs its timers before it reads answers that came in time.
    const cancel = clock.after(ANSWER_TIMEOUT_MS, () => void setImmediate(() => isWaiting && giveUp()));
    let isWaiting = true;
    try {
      const text = parts.reduce((before, part, index) => `${before}$${index}${part}`);
      const { rows } = await client.query<Row>(text, values.map(escapeNul));
      answered = sentAt;
      return (rows ?? []).map(unescapeRow);
    } catch (error) {
      if (error instanceof pg.DatabaseError) answered = sentAt;
      throw toStoreError(error);
    } finally {
      isWaiting = false;
      cancel();
    }
  }
  const run = (text: string) => send({ parts: [text], values: [] });
  const beat = createJob(clock, BEAT_MS, () => inTurn('', async () => void (await run('SELECT 1'))), finish);
  void beat.start(BEAT_MS);

  try {
    await client.connect();
    const [{ version, idle, isReplica }] = Facts.parse(
      await send(sql`SELECT current_setting('server_version_num')::int AS version,
        current_setting('idle_session_timeout') AS idle, pg_is_in_recovery() AS "isReplica"`),
    );
    if (version < 140_000) throw new StartError(TOO_OLD);
    if (idle !== SETTINGS.idle_session_timeout) throw new StartError(POOLER);
    if (isReplica)
      throw new StoreError('this PostgreSQL is a replica, which takes no writes; name the primary');
  } catch (error) {
    finish(error);
    throw error instanceof StartError ? error : toStoreError(error);
  }

  return {
    query: (query) => inTurn('', () => send(query)),
    transaction: (work, durable = true) =>
      inTurn('', async () => {
        const waits = durable ? '' : 'SET LOCAL synchronous_commit TO off;';
        try {
          await run(`BEGIN; ${waits} SELECT pg_advisory_xact_lock(${WRITING})`);
          const steps = work();
          let step = steps.next();
          while (step.done !== true) step = steps.next(await send(step.value));
          await run('COMMIT');
          return step.value;
        } catch (error) {
          await run('ROLLBACK').catch(() => {});
          throw error;
        }
      }),
    silentMs: () => Math.max(clock.monotonic() - answered.monotonic, clock.now() - answered.wall),
    ended: over.promise,
    end: () => finish(new Error('closed')),
  };
}

/** PostgreSQL's text takes no U+0000: this character and a digit stand for it, and for itself. */
const ESCAPE = '\u{1}';

function escapeNul(value: SqlValue): SqlValue {
  return typeof value === 'string'
    ? value.replaceAll(ESCAPE, `${ESCAPE}1`).replaceAll('\0', `${ESCAPE}0`)
    : value;
}

function unescapeNul(value: unknown): unknown {
  if (typeof value !== 'string' || !value.includes(ESCAPE)) return value;
  return value.replaceAll(`${ESCAPE}0`, '\0').replaceAll(`${ESCAPE}1`, ESCAPE);
}

function unescapeRow(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, unescapeNul(value)]));
}
