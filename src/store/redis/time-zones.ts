import { TimeZone, type TimeZones } from '../../people/time-zones.ts';
import type { RedisConnection } from './connection.ts';

export interface RedisTimeZones extends TimeZones {
  remove(personId: string): Promise<void>;
}

export function createRedisTimeZones(connection: RedisConnection, prefix: string): RedisTimeZones {
  const key = `${prefix}:time-zones`;
  return {
    of: async (personId) => TimeZone.safeParse(await connection.send('HGET', key, personId)).data ?? null,
    async set(personId, zone) {
      await connection.send('HSET', key, personId, zone);
    },
    async remove(personId) {
      await connection.send('HDEL', key, personId);
    },
  };
}
