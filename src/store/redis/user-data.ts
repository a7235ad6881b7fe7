import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Links } from '../links.ts';
import type { Subscriptions } from '../subscriptions.ts';
import type { UserData } from '../user-data.ts';
import type { RedisBoardRecords } from './board-records.ts';
import type { RedisConnection } from './connection.ts';
import type { RedisTimeZones } from './time-zones.ts';

/** How often to check whether the server has rewritten its files, and for how long at most (ms). */
const LOOK_EVERY = 50;
const PATIENCE = 20_000;

/**
 * When `forget` resolves, the person's id is in no value of the store, nor in the server's files if it lets us
 * trigger their rewrite. Otherwise they contain it until the server rewrites them, and `unscrubbed` is called.
 */
export function createRedisUserData(
  connection: RedisConnection,
  {
    links,
    subscriptions,
    timeZones,
    boards,
    forgetCorrections,
    unscrubbed,
  }: {
    readonly links: Links;
    readonly subscriptions: Subscriptions;
    readonly timeZones: RedisTimeZones;
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
        timeZone: await timeZones.of(personId),
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
      // From time 0, so that expired ones are included.
      for (const { server } of await subscriptions.of(personId, 0)) {
        await subscriptions.remove(personId, server);
      }
      await timeZones.remove(personId);
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

/** The append-only log and the snapshot still contain what was deleted from memory. */
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
