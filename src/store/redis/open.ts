import { z } from 'zod';
import { sleep, systemClock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { createNamespaces } from '../namespaces.ts';
import { readOnce } from '../read-once.ts';
import type { Stores } from '../stores.ts';
import { PREFIX, type RedisConnection } from './connection.ts';
import { createRedisDocuments } from './documents.ts';
import { createRedisHistoryChunks } from './history-chunks.ts';
import { redisAdapter } from './keyv-adapter.ts';
import { reachRedis } from './reach.ts';

/**
 * One Redis or Valkey database for all processes of one bot, waited for where it is not there yet. Rejects with a
 * StartError that says what is wrong with it. Later outages are logged, and recovered from automatically.
 */
export async function openRedisStores(url: string, parts: Parameters<typeof reachRedis>[1]): Promise<Stores> {
  const { log, clock } = parts;
  const { connection, takenOver } = await reachRedis(url, parts);
  const scrub = createScrub(connection, log);
  const storedDocuments = createRedisDocuments(connection);
  const documents = readOnce(storedDocuments, clock, { isSoleWriter: false });
  return {
    backend: { kind: 'redis', connection, prefix: PREFIX },
    namespace: createNamespaces((name, limits) => redisAdapter(connection, `${PREFIX}:${name}`, limits)),
    documents,
    async clean({ copiesCleaned }) {
      await copiesCleaned();
      await scrub();
    },
    history: createRedisHistoryChunks(connection, scrub),
    historyTrouble: null,
    historyCopies: () => [],
    checkWrites: async () => void (await connection.send('SET', `${PREFIX}:written`, '1', 'PX', '60000')),
    copies: null,
    takenOver,
    async close() {
      connection.close();
    },
  };
}

/** How often to check whether the server has rewritten its files, and for how long at most (ms). */
const LOOK_INTERVAL_MS = 50;
const REWRITE_TIMEOUT_MS = 20_000;

/**
 * Removes from the server's files what has been deleted from its memory, if it lets us trigger their rewrite.
 * Otherwise they contain it until the server rewrites them: the log says so, and it resolves with their names.
 */
function createScrub(connection: RedisConnection, log: Log): () => Promise<readonly string[]> {
  return async () => {
    try {
      await rewriteFiles(connection);
      return [];
    } catch (error) {
      log.warn(
        { err: error },
        'a person was deleted, but Redis may hold them on disk until it rewrites its files',
      );
      return ['Redis: appendonly, dump.rdb'];
    }
  };
}

const Persistence = z.string().transform((text) => (field: string) => text.includes(`${field}:1`));
const Setting = z.tuple([z.string(), z.string()]);

/** The append-only log and the snapshot still contain what was deleted from memory. */
async function rewriteFiles(connection: RedisConnection): Promise<void> {
  const persistence = async () => Persistence.parse(await connection.send('INFO', 'persistence'));
  const deadline = systemClock.monotonic() + REWRITE_TIMEOUT_MS;
  const idle = async (): Promise<void> => {
    for (;;) {
      const is = await persistence();
      if (!['aof_rewrite_in_progress', 'aof_rewrite_scheduled', 'rdb_bgsave_in_progress'].some(is)) return;
      if (systemClock.monotonic() > deadline) throw new Error('Redis is still writing its files');
      await sleep(systemClock, LOOK_INTERVAL_MS);
    }
  };
  // A rewrite already running may have started before the deletion.
  await idle();
  if ((await persistence())('aof_enabled')) {
    await connection.send('BGREWRITEAOF');
    await idle();
  }
  const [, snapshots] = Setting.parse(await connection.send('CONFIG', 'GET', 'save'));
  if (snapshots !== '') {
    await connection.send('BGSAVE');
    await idle();
  }
}
