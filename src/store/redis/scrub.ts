import { z } from 'zod';
import { sleep, systemClock } from '../../base/clock.ts';
import type { RedisConnection } from './connection.ts';

/** How often to check whether the server has rewritten its files, and for how long at most (ms). */
const LOOK_EVERY = 50;
const PATIENCE = 20_000;

/**
 * Removes from the server's files what has been deleted from its memory, if it lets us trigger their rewrite.
 * Otherwise they contain it until the server rewrites them: `unscrubbed` is called, and it resolves with their names.
 */
export function createScrub(
  connection: RedisConnection,
  unscrubbed: (error: unknown) => void,
): () => Promise<readonly string[]> {
  return async () => {
    try {
      await rewriteFiles(connection);
      return [];
    } catch (error) {
      unscrubbed(error);
      return ['Redis: appendonly, dump.rdb'];
    }
  };
}

const Persistence = z.string().transform((text) => (field: string) => text.includes(`${field}:1`));
const Setting = z.tuple([z.string(), z.string()]);

/** The append-only log and the snapshot still contain what was deleted from memory. */
async function rewriteFiles(connection: RedisConnection): Promise<void> {
  const persistence = async () => Persistence.parse(await connection.send('INFO', 'persistence'));
  const over = Date.now() + PATIENCE;
  const idle = async (): Promise<void> => {
    for (;;) {
      const is = await persistence();
      if (!['aof_rewrite_in_progress', 'aof_rewrite_scheduled', 'rdb_bgsave_in_progress'].some(is)) return;
      if (Date.now() > over) throw new Error('Redis is still writing its files');
      await sleep(systemClock, LOOK_EVERY);
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
