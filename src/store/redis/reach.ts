import { z } from 'zod';
import { type Clock, within } from '../../base/clock.ts';
import { StartError, StoreError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { patiently } from '../patiently.ts';
import { adviceFor, whyNot, whyRefused } from './advice.ts';
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
