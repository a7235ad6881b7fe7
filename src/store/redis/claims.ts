import type { Claims } from '../claims.ts';
import type { RedisConnection } from './connection.ts';

export function createRedisClaims(connection: RedisConnection, prefix: string): Claims {
  const keyOf = (key: string): string => `${prefix}:claim:${key}`;
  return {
    claim: async (key, ms) =>
      (await connection.send('SET', keyOf(key), '1', 'NX', 'PX', String(ms))) === 'OK',
    async release(key) {
      await connection.send('DEL', keyOf(key));
    },
  };
}
