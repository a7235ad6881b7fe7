import { z } from 'zod';
import { type Clock, resolveWithin } from '../../base/clock.ts';
import { StartError, StoreError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { START_TIMEOUT_MS } from '../../base/retry-while-away.ts';
import { retryWhileUnavailable } from '../retry-while-unavailable.ts';
import { connectRedis, PREFIX, type RedisConnection } from './connection.ts';
import { toStartError, troubleOf } from './trouble.ts';

/** Raised when versions before may not run beside this one. */
const FORMAT = '2';
/** Formats that this version goes on with. */
const READABLE = ['1', FORMAT];
const FORMAT_KEY = `${PREFIX}:format`;
/** After this many ms without an answer or an error, the log says that the start waits. */
const MAX_SILENCE_MS = 1000;

/**
 * A connection to a database that the bot can use. Waits where it is not there yet; rejects with a {@link StartError}
 * where waiting is pointless or has not helped. Later outages are logged, and the loss of all data.
 */
export async function reachRedis(
  url: string,
  {
    log,
    clock,
    timeoutMs = START_TIMEOUT_MS,
    answerDeadlineMs,
  }: {
    readonly log: Log;
    readonly clock: Clock;
    /** Longest wait for the server. */
    readonly timeoutMs?: number;
    /** Time that a command may take, in ms; half a second unless it is given. */
    readonly answerDeadlineMs?: number;
  },
): Promise<{
  readonly connection: RedisConnection;
  /** Resolves when another version has taken the database: this one must not write there any more. */
  readonly takenOver: Promise<StartError>;
}> {
  const deadline = clock.monotonic() + timeoutMs;
  let isWaiting = false;
  /** One line of the log when a wait begins, and one when Redis is there. */
  const logWaiting = (error?: unknown): void => {
    if (!isWaiting) log.warn({ seconds: timeoutMs / 1000, err: error }, 'waiting for Redis');
    isWaiting = true;
  };
  const cancelWaiting = clock.after(MAX_SILENCE_MS, logWaiting);
  const refused = Promise.withResolvers<never>();
  const takeover = Promise.withResolvers<StartError>();
  let isStarted = false;
  let trouble: unknown = null;
  const connection = connectRedis({
    url,
    answerDeadlineMs,
    onFailure(error) {
      trouble = error;
      if (troubleOf(error)?.lasts === true) refused.reject(toStartError(error));
      else if (!isStarted) logWaiting(error);
    },
    onAway(error) {
      if (isStarted) log.warn({ err: error }, 'Redis is unreachable; no requests until it is back');
    },
    onBack() {
      if (isStarted) log.info('Redis is back');
    },
    async look(send) {
      const format = Format.parse(await send('GET', FORMAT_KEY));
      if (!isStarted || format === FORMAT) return;
      if (format !== null) return takeover.resolve(new StartError(otherVersion(format)));
      log.error('Redis has lost all that was stored in it: boards, links and alerts are gone');
      await send('SET', FORMAT_KEY, FORMAT, 'NX');
    },
  });
  try {
    const settled = Promise.race([connection.reached, refused.promise]);
    if ((await resolveWithin(settled, timeoutMs, clock)) === null) throw toStartError(trouble);
    const remainingMs = deadline - clock.monotonic();
    const advice = await retryWhileUnavailable(() => examine(connection), {
      clock,
      timeoutMs: remainingMs,
      onFirstFailure: logWaiting,
    }).catch((error: unknown) => {
      throw error instanceof StoreError ? toStartError(error) : error;
    });
    isStarted = true;
    if (isWaiting) log.info('Redis is there');
    for (const line of advice) log.warn({ advice: line }, 'Redis setting loses data');
    return { connection, takenOver: takeover.promise };
  } catch (error) {
    connection.close();
    throw error;
  } finally {
    cancelWaiting();
  }
}

/** Resolves with warnings for the operator; rejects with a {@link StartError} where this version may not use the database. */
async function examine(connection: RedisConnection): Promise<readonly string[]> {
  try {
    const why = await whyUnusable(connection);
    if (why !== null) throw new StartError(why);
    await connection.eval(RAISE, { keys: [FORMAT_KEY], arguments: [FORMAT, ...READABLE] });
    return (await readSettings(connection)).advice;
  } catch (error) {
    throw error instanceof StoreError && troubleOf(error.cause)?.lasts === true ? toStartError(error) : error;
  }
}

const Format = z.string().nullable();

/** KEYS: the format. ARGV: the new one, and those that it replaces. Running processes of an earlier version end. */
const RAISE = `
local format = redis.call('GET', KEYS[1])
if not format then return redis.call('SET', KEYS[1], ARGV[1]) end
for index = 2, #ARGV do
  if format == ARGV[index] then return redis.call('SET', KEYS[1], ARGV[1]) end
end`;

/** Null where this version may use the database. Writes nothing; rejects where Redis does not do what it is asked to. */
export async function whyUnusable(connection: RedisConnection): Promise<string | null> {
  // A cluster refuses a script with keys of two slots.
  const reply = await connection.eval(`return redis.call('GET', KEYS[1])`, {
    keys: [FORMAT_KEY, `${PREFIX}:documents`],
    arguments: [],
  });
  const format = Format.parse(reply);
  return format === null || READABLE.includes(format) ? null : otherVersion(format);
}

function otherVersion(format: string): string {
  const age = Number(format) > Number(FORMAT) ? 'a newer' : 'an older';
  return `STORE_URL: ${age} version of Pitwall wrote this Redis database; run that version, or name another database`;
}

const Info = z.string();

/** `advice`: its settings that lose data, each with its remedy. `mostBytes`: null where it has no limit of its own. */
export async function readSettings(connection: RedisConnection) {
  const memory = Info.parse(await connection.send('INFO', 'memory'));
  const persistence = Info.parse(await connection.send('INFO', 'persistence'));
  const figure = (name: string): number => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(memory)?.[1] ?? 0);
  const mostBytes = figure('maxmemory') || null;
  const evicts = mostBytes !== null && !/^maxmemory_policy:noeviction\r?$/m.test(memory);
  const advice = [
    ...(evicts ? ['Redis may evict links and the request ledger: set maxmemory-policy noeviction'] : []),
    ...(/^aof_enabled:1\r?$/m.test(persistence)
      ? []
      : ['a Redis restart loses what is not saved yet: set appendonly yes']),
  ];
  return { advice, usedBytes: figure('used_memory'), mostBytes };
}
