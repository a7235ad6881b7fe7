import { START_PATIENCE } from '../../base/while-away.ts';
import type { Claims } from '../claims.ts';
import { forgetPerson } from '../forget.ts';
import { createNamespaces } from '../namespaces.ts';
import type { Stores } from '../stores.ts';
import type { RedisConnection } from './connection.ts';
import { createRedisDocuments } from './documents.ts';
import { createRedisHistoryChunks } from './history-chunks.ts';
import { redisAdapter } from './keyv-adapter.ts';
import { type ReachParts, reachRedis } from './reach.ts';
import { createScrub } from './scrub.ts';

/** Prefix of every key, since the database may have other uses. */
export const PREFIX = 'pitwall';

/**
 * One Redis or Valkey database for all processes of one bot, waited for where it is not there yet. Rejects with a
 * StartError that says what is wrong with it. Later outages are logged, and recovered from automatically.
 */
export async function openRedisStores(
  url: string,
  { log, clock, patience = START_PATIENCE }: Partial<ReachParts> & Omit<ReachParts, 'patience'>,
): Promise<Stores> {
  const connection = await reachRedis(url, PREFIX, { log, clock, patience });
  const scrub = createScrub(connection, (error) =>
    log.warn(
      { err: error },
      'a person was deleted, but Redis may hold them on disk until it rewrites its files',
    ),
  );
  const documents = createRedisDocuments(connection, { prefix: PREFIX, scrub });
  return {
    backend: { kind: 'redis', connection, prefix: PREFIX },
    namespace: createNamespaces((name, limits) => redisAdapter(connection, `${PREFIX}:${name}`, limits)),
    documents,
    forget: (forgetting, personId) => forgetPerson(documents, forgetting, personId),
    history: createRedisHistoryChunks(connection, { prefix: PREFIX, scrub }),
    historyCopies: () => [],
    claims: createRedisClaims(connection, PREFIX),
    copies: null,
    async close() {
      connection.close();
    },
  };
}

function createRedisClaims(connection: RedisConnection, prefix: string): Claims {
  const keyOf = (key: string): string => `${prefix}:claim:${key}`;
  return {
    claim: async (key, ms) =>
      (await connection.send('SET', keyOf(key), '1', 'NX', 'PX', String(ms))) === 'OK',
    async release(key) {
      await connection.send('DEL', keyOf(key));
    },
  };
}
