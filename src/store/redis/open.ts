import { START_PATIENCE } from '../../base/while-away.ts';
import type { Stores } from '../../bot/stores.ts';
import { openSharedLedger } from '../../service/budget/ledger/open.ts';
import { forgetPerson } from '../forget.ts';
import { createNamespaces } from '../namespaces.ts';
import { createRedisClaims } from './claims.ts';
import { createRedisDocuments } from './documents.ts';
import { createRedisFlightLock } from './flight-lock.ts';
import { createRedisHistoryChunks } from './history-chunks.ts';
import { redisAdapter } from './keyv-adapter.ts';
import { type ReachParts, reachRedis } from './reach.ts';
import { createScrub } from './scrub.ts';

/** Prefix of every key, since the database may have other uses. */
export const PREFIX = 'pitwall';
/** Of the ledger's keys. */
export const LEDGER = `${PREFIX}:budget`;

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
  const ledger = openSharedLedger({ client: connection, name: LEDGER });
  return {
    namespace: createNamespaces((name, limits) => redisAdapter(connection, `${PREFIX}:${name}`, limits)),
    documents,
    forget: (forgetting, personId) => forgetPerson(documents, forgetting, personId),
    history: createRedisHistoryChunks(connection, { prefix: PREFIX, scrub }),
    historyCopies: () => [],
    ledger,
    lock: createRedisFlightLock(connection, PREFIX),
    claims: createRedisClaims(connection, PREFIX),
    copies: null,
    async close() {
      await ledger.close();
      connection.close();
    },
  };
}
