import { z } from 'zod';
import { StartError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { openSharedLedger } from '../../service/budget/ledger/open.ts';
import { createNamespaces } from '../namespaces.ts';
import type { Stores } from '../stores.ts';
import { createRedisBoardRecords } from './board-records.ts';
import { createClaimInteraction } from './claim-interaction.ts';
import { connectRedis, type RedisConnection } from './connection.ts';
import { forgetCorrections } from './corrections.ts';
import { createRedisDeliveries } from './deliveries.ts';
import { createRedisFlightLock } from './flight-lock.ts';
import { createRedisGuildSettings } from './guild-settings.ts';
import { createRedisHistoryChunks } from './history-chunks.ts';
import { redisAdapter } from './keyv-adapter.ts';
import { createRedisLinks } from './links.ts';
import { createScrub } from './scrub.ts';
import { createRedisDocument, fleetKey } from './shared-document.ts';
import { createRedisSubscriptions } from './subscriptions.ts';
import { createRedisTimeZones } from './time-zones.ts';
import { createRedisUserData } from './user-data.ts';
import { createRedisWatches } from './watches.ts';

/** Prefix of every key, since the database may have other uses. */
export const PREFIX = 'pitwall';
/** Changed with the storage format. */
const VERSION = 1;
/** A store started together with the bot needs a moment (ms). */
const START_PATIENCE = 5000;

/**
 * One Redis or Valkey database for all processes of one bot. Rejects with a {@link StartError} that says what is
 * wrong with it. Later outages are logged, and recovered from automatically.
 */
export async function openRedisStores(
  url: string,
  { log, patience = START_PATIENCE }: { readonly log: Log; readonly patience?: number },
): Promise<Stores> {
  const connection = await connectOrRefuse(url, log, patience);
  const links = createRedisLinks(connection, PREFIX);
  const subscriptions = createRedisSubscriptions(connection, PREFIX);
  const watches = createRedisWatches(connection, PREFIX);
  const deliveries = createRedisDeliveries(connection, PREFIX);
  const timeZones = createRedisTimeZones(connection, PREFIX);
  const boards = createRedisBoardRecords(connection, {
    prefix: PREFIX,
    unreadable: (channelId) => log.error({ channelId }, 'board settings unreadable'),
  });
  const scrub = createScrub(connection, (error) =>
    log.warn(
      { err: error },
      'a person was deleted, but Redis may hold them on disk until it rewrites its files',
    ),
  );
  const ledger = openSharedLedger({ client: connection, name: `${PREFIX}:budget` });
  return {
    namespace: createNamespaces((name, limits) => redisAdapter(connection, `${PREFIX}:${name}`, limits)),
    links,
    guildSettings: createRedisGuildSettings(connection, PREFIX),
    subscriptions,
    watches,
    deliveries,
    timeZones,
    userData: createRedisUserData({
      links,
      subscriptions,
      watches,
      deliveries,
      timeZones,
      boards,
      forgetCorrections: (personId) => forgetCorrections(connection, PREFIX, personId),
      scrub,
    }),
    history: createRedisHistoryChunks(connection, { prefix: PREFIX, scrub }),
    historyCopies: () => [],
    boards,
    ledger,
    lock: createRedisFlightLock(connection, PREFIX),
    fleet: createRedisDocument(connection, fleetKey(PREFIX)),
    claimInteraction: createClaimInteraction(connection, PREFIX),
    copies: null,
    async close() {
      await ledger.close();
      connection.close();
    },
  };
}

async function connectOrRefuse(url: string, log: Log, patience: number): Promise<RedisConnection> {
  let trouble: unknown = null;
  const refused = Promise.withResolvers<false>();
  const connection = connectRedis({
    url,
    onAway: (error) => {
      trouble = error;
      if (whyRefused(error) !== null) refused.resolve(false);
      log.warn({ err: error }, 'Redis is unreachable; no requests until it is back');
    },
    onBack: () => log.info('Redis is back'),
  });
  try {
    if (!(await Promise.race([connection.reached(patience), refused.promise])))
      throw new StartError(whyNot(trouble));
    await checkVersion(connection);
    for (const advice of await adviceFor(connection)) log.warn({ advice }, 'Redis setting loses data');
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Writes the version where there is none; never overwrites another one. */
async function checkVersion(connection: RedisConnection): Promise<void> {
  const key = `${PREFIX}:version`;
  await connection.send('SET', key, String(VERSION), 'NX');
  const version = z.string().parse(await connection.send('GET', key));
  if (version !== String(VERSION))
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

/** In our own words: a library's message may contain the address and the password. */
export function whyNot(trouble: unknown): string {
  const refusal = whyRefused(trouble);
  if (refusal !== null) return `STORE_URL: ${refusal}`;
  const code: unknown = trouble instanceof Error ? Reflect.get(trouble, 'code') : undefined;
  const why = typeof code === 'string' ? ` (${code})` : '';
  return `STORE_URL: Redis cannot be reached${why}; start it, or correct the host, the port or redis/rediss`;
}

/** Null where a retry makes sense. */
function whyRefused(trouble: unknown): string | null {
  const text = trouble instanceof Error ? trouble.message : '';
  if (/^(?:WRONGPASS|NOAUTH|NOPERM|ERR AUTH)/.test(text))
    return 'Redis rejects the user name or password; correct them';
  if (/^ERR (?:invalid DB|DB index)/i.test(text))
    return 'Redis has no database with this number; name another one';
  return null;
}
