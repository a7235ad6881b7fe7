import { z } from 'zod';
import { type Clock, within } from '../../base/clock.ts';
import { StartError, StoreError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { patiently } from '../patiently.ts';
import { connectRedis, type RedisConnection } from './connection.ts';

/** Changed with what is stored. */
const FORMAT = 1;
/** After this many ms without an answer or an error, the log says that the start waits. */
const SILENCE = 1000;

export interface ReachParts {
  readonly log: Log;
  readonly clock: Clock;
  /** In ms. */
  readonly patience: number;
}

/**
 * A connection to a database that the bot can use. Waits where it is not there yet; rejects with a {@link StartError}
 * where waiting is pointless or has not helped, and with a StoreError where Redis is there and does not do its work.
 * Later outages are logged.
 */
export async function reachRedis(url: string, prefix: string, parts: ReachParts): Promise<RedisConnection> {
  const { log, clock, patience } = parts;
  const until = clock.monotonic() + patience;
  const wait = tellOfWait(parts);
  const refused = Promise.withResolvers<never>();
  let isStarted = false;
  let trouble: unknown = null;
  const connection = connectRedis({
    url,
    onFailure(error) {
      trouble = error;
      const why = whyRefused(error);
      if (why !== null) refused.reject(new StartError(why));
      else if (!isStarted) wait.began(error);
    },
    onAway(error) {
      if (isStarted) log.warn({ err: error }, 'Redis is unreachable; no requests until it is back');
    },
    onBack() {
      if (isStarted) log.info('Redis is back');
    },
  });
  try {
    const settled = Promise.race([connection.reached, refused.promise]);
    if ((await within(settled, patience, clock)) === null)
      throw new StartError(whyNot(trouble), { mayPass: true });
    const left = until - clock.monotonic();
    const advice = await patiently(() => examine(connection, prefix), {
      ...{ clock, patience: left, waiting: wait.began },
    });
    isStarted = true;
    wait.ended();
    for (const each of advice) log.warn({ advice: each }, 'Redis setting loses data');
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  } finally {
    wait.cancel();
  }
}

/** One line of the log when a wait begins, and one when Redis is there. */
function tellOfWait({ log, clock, patience }: ReachParts) {
  let isTold = false;
  const began = (error?: unknown): void => {
    if (!isTold) log.warn({ seconds: patience / 1000, err: error }, 'waiting for Redis');
    isTold = true;
  };
  return {
    began,
    ended(): void {
      if (isTold) log.info('Redis is there');
    },
    cancel: clock.after(SILENCE, began),
  };
}

/** Whether this version may use the database, and what its operator should know of it. */
async function examine(connection: RedisConnection, prefix: string): Promise<readonly string[]> {
  try {
    await checkFormat(connection, prefix);
    return await adviceFor(connection);
  } catch (error) {
    const why = error instanceof StoreError ? whyRefused(error.cause) : null;
    throw why === null ? error : new StartError(why);
  }
}

/** Writes the format where there is none; never overwrites another one. */
async function checkFormat(connection: RedisConnection, prefix: string): Promise<void> {
  // Before the first release it was called so.
  if ((await connection.send('EXISTS', `${prefix}:version`)) === 1)
    throw new StartError(
      'STORE_URL: a Pitwall before its first release wrote this Redis database; empty it, or name another database',
    );
  const key = `${prefix}:format`;
  await connection.send('SET', key, String(FORMAT), 'NX');
  const format = z.string().parse(await connection.send('GET', key));
  if (format !== String(FORMAT))
    throw new StartError(
      'STORE_URL: a newer version of Pitwall wrote this Redis database; run that version, or name another database',
    );
}

const Info = z.string();

/** The settings of Redis that lose data, each with its remedy. */
export async function adviceFor(connection: RedisConnection): Promise<readonly string[]> {
  const memory = Info.parse(await connection.send('INFO', 'memory'));
  const persistence = Info.parse(await connection.send('INFO', 'persistence'));
  const isBounded = !/^maxmemory:0\r?$/m.test(memory);
  const evicts = isBounded && !/^maxmemory_policy:noeviction\r?$/m.test(memory);
  return [
    ...(evicts ? ['Redis may evict links and the request ledger: set maxmemory-policy noeviction'] : []),
    ...(/^aof_enabled:1\r?$/m.test(persistence)
      ? []
      : ['a Redis restart loses what is not saved yet: set appendonly yes']),
  ];
}

/** Why Redis cannot be used, in our own words: a library's message may contain the address and the password. */
export function whyNot(trouble: unknown): string {
  const why = whyRefused(trouble);
  if (why !== null) return why;
  const code = codeOf(trouble);
  return `STORE_URL: Redis cannot be reached${code === '' ? '' : ` (${code})`}; start it, or correct the host, the port or redis/rediss`;
}

/** The same where another attempt is pointless until something has been corrected; else null. */
function whyRefused(trouble: unknown): string | null {
  const text = trouble instanceof Error ? trouble.message : '';
  if (/^(?:WRONGPASS|NOAUTH|NOPERM|ERR AUTH)/.test(text))
    return 'STORE_URL: Redis rejects the user name or password; correct them';
  if (/^ERR (?:invalid DB|DB index)/i.test(text))
    return 'STORE_URL: Redis has no database with this number; name another one';
  const code = codeOf(trouble);
  // OpenSSL's names for a server that speaks no TLS, and for certificates that cannot be verified.
  if (/^(?:ERR_SSL|ERR_TLS|CERT|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED)_/.test(code))
    return `STORE_URL: no TLS connection to Redis (${code}); correct redis/rediss, the host, the port or Redis's certificate`;
  return null;
}

function codeOf(trouble: unknown): string {
  const code: unknown = trouble instanceof Error ? Reflect.get(trouble, 'code') : undefined;
  return typeof code === 'string' ? code : '';
}
