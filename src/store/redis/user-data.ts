import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Links } from '../links.ts';
import type { Subscriptions } from '../subscriptions.ts';
import type { UserData } from '../user-data.ts';
import type { RedisBoardRecords } from './board-records.ts';
import type { RedisConnection } from './connection.ts';

/** How often the server is asked whether its files are written anew, and for how long at most (milliseconds). */
const LOOK_EVERY = 50;
const PATIENCE = 20_000;

/**
 * When `forget` resolves, nothing in the store holds the person's id, nor do the files that the server keeps, if it
 * lets us have them written anew; otherwise these hold it until it does so by itself, and `unscrubbed` is told.
 */
export function createRedisUserData(
  connection: RedisConnection,
  {
    links,
    subscriptions,
    boards,
    forgetCorrections,
    unscrubbed,
  }: {
    readonly links: Links;
    readonly subscriptions: Subscriptions;
    readonly boards: RedisBoardRecords;
    readonly forgetCorrections: (personId: string) => Promise<void>;
    readonly unscrubbed: (error: unknown) => void;
  },
): UserData {
  return {
    async stored(personId, now) {
      const made = (await boards.all()).filter(({ settings }) => settings.madeBy === personId);
      return {
        link: await links.of(personId),
        corrections: await links.corrections(personId),
        subscriptions: await subscriptions.of(personId, now),
        boards: made.map(({ settings }) => ({
          guild: settings.guildId,
          channel: settings.channelId,
          since: settings.madeAt,
        })),
      };
    },
    async forget(personId) {
      await links.remove(personId);
      await forgetCorrections(personId);
      // Of all times: what has expired is deleted on the way.
      for (const { server } of await subscriptions.of(personId, 0)) {
        await subscriptions.remove(personId, server);
      }
      await boards.forgetMaker(personId);
      try {
        await rewriteFiles(connection);
        return [];
      } catch (error) {
        unscrubbed(error);
        return ['Redis: appendonly, dump.rdb'];
      }
    },
  };
}

const Persistence = z.string().transform((text) => (field: string) => text.includes(`${field}:1`));
const Setting = z.tuple([z.string(), z.string()]);

/** The log of writes and the snapshot still hold what was deleted from memory. */
async function rewriteFiles(connection: RedisConnection): Promise<void> {
  const persistence = async () => Persistence.parse(await connection.send('INFO', 'persistence'));
  const over = Date.now() + PATIENCE;
  const idle = async (): Promise<void> => {
    for (;;) {
      const is = await persistence();
      if (!['aof_rewrite_in_progress', 'aof_rewrite_scheduled', 'rdb_bgsave_in_progress'].some(is)) return;
      if (Date.now() > over) throw new Error('Redis is still writing its files');
      await pause(LOOK_EVERY);
    }
  };
  // What is being written was begun before the deletion, perhaps.
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
