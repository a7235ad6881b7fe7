import type { StoredData } from 'keyv';
import { z } from 'zod';
import type { Limits } from '../stores.ts';
import type { RedisConnection } from './connection.ts';

/**
 * KEYS: the order of writing, the sizes in bytes. ARGV[1]: the prefix of the values' keys.
 * Order and sizes are stored beside the values, since the server itself evicts nothing (it also holds data that
 * must not be lost). An expired value counts until it is evicted or overwritten.
 */
const SIZES = `
local order, sizes, start = KEYS[1], KEYS[2], ARGV[1]
local function forget(key)
  local size = redis.call('HGET', sizes, '=' .. key)
  if size then
    redis.call('HINCRBY', sizes, 'total', '-' .. size)
    redis.call('HDEL', sizes, '=' .. key)
  end
  redis.call('ZREM', order, key)
  return redis.call('UNLINK', start .. key)
end
`;

/** ARGV[2] and on: the key, the value, its time to live in milliseconds or nothing, the caps in rows and bytes. */
const WRITE = `${SIZES}
local key, value, ttl, rows, bytes = ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local lives = redis.call('PTTL', order)
forget(key)
if ttl then redis.call('SET', start .. key, value, 'PX', ttl) else redis.call('SET', start .. key, value) end
local clock = redis.call('TIME')
redis.call('ZADD', order, string.format('%.0f', clock[1] * 1000000 + clock[2]), key)
redis.call('HSET', sizes, '=' .. key, #value)
redis.call('HINCRBY', sizes, 'total', #value)
while redis.call('ZCARD', order) > rows or tonumber(redis.call('HGET', sizes, 'total')) > bytes do
  local oldest = redis.call('ZRANGE', order, 0, 0)
  if #oldest == 0 then break end
  forget(oldest[1])
end
-- They live as long as the value that lives longest.
if not ttl or lives == -1 then
  redis.call('PERSIST', order)
  redis.call('PERSIST', sizes)
else
  local left = math.max(ttl, lives)
  redis.call('PEXPIRE', order, left)
  redis.call('PEXPIRE', sizes, left)
end`;

/** ARGV[2]: the key. */
const REMOVE = `${SIZES}
return forget(ARGV[2])`;

/** Nothing is stored as null; Keyv expects undefined for a miss. */
const Value = z
  .string()
  .nullable()
  .transform((text) => text ?? undefined);

/** Value, order, sizes and eviction are one atomic step across processes. */
export function redisAdapter(connection: RedisConnection, prefix: string, { maxRows, maxBytes }: Limits) {
  const start = `${prefix}:=`;
  const keys = [`${prefix}:order`, `${prefix}:sizes`];
  return {
    async get<T>(key: string) {
      const value: unknown = Value.parse(await connection.send('GET', start + key));
      // The serialisers above check the value.
      return value as StoredData<T>;
    },
    async set(key: string, value: string, ttl?: number) {
      const life = ttl === undefined ? '' : String(Math.max(1, Math.ceil(ttl)));
      await connection.eval(WRITE, {
        keys,
        arguments: [start, key, value, life, String(maxRows), String(maxBytes)],
      });
    },
    async delete(key: string) {
      return (await connection.eval(REMOVE, { keys, arguments: [start, key] })) === 1;
    },
  };
}
