import type { KeyvStoreAdapter, StoredData } from 'keyv';
import { z } from 'zod';
import type { RedisConnection } from './connection.ts';

/**
 * KEYS: the value, the order of writing. ARGV: the value, its time to live in milliseconds or nothing, the cap, what
 * the keys begin with, the key's own end.
 * The order is kept beside the values, by the server's clock, since the server itself evicts nothing (it holds what
 * must not be lost, too). It lives as long as the value that lives longest.
 */
const WRITE = `
local value, order = KEYS[1], KEYS[2]
local ttl = tonumber(ARGV[2])
if ttl then redis.call('SET', value, ARGV[1], 'PX', ttl) else redis.call('SET', value, ARGV[1]) end
local clock = redis.call('TIME')
local known = redis.call('PTTL', order)
redis.call('ZADD', order, string.format('%.0f', clock[1] * 1000000 + clock[2]), ARGV[5])
if not ttl then redis.call('PERSIST', order)
elseif known == -2 or (known >= 0 and known < ttl) then redis.call('PEXPIRE', order, ttl) end
local over = redis.call('ZCARD', order) - tonumber(ARGV[3])
if over > 0 then
  local oldest = redis.call('ZPOPMIN', order, over)
  for index = 1, #oldest, 2 do redis.call('UNLINK', ARGV[4] .. oldest[index]) end
end`;

const REMOVE = `
redis.call('ZREM', KEYS[2], ARGV[1])
return redis.call('UNLINK', KEYS[1])`;

/** Some values at a time, so that nobody else has to wait for a large namespace. */
const EMPTY = `
local oldest = redis.call('ZPOPMIN', KEYS[1], 1000)
for index = 1, #oldest, 2 do redis.call('UNLINK', ARGV[1] .. oldest[index]) end
return #oldest`;

/** Nothing is stored as null; undefined is Keyv's own word for a miss. */
const Value = z
  .string()
  .nullable()
  .transform((text) => text ?? undefined);

/**
 * Keyv's adapter for one namespace. Of more than `maxRows` values those that were written longest ago go, whichever
 * process wrote them: value, order and eviction are one step.
 */
export function redisAdapter(
  connection: RedisConnection,
  { prefix, maxRows }: { readonly prefix: string; readonly maxRows: number },
): KeyvStoreAdapter {
  const start = `${prefix}:=`;
  const order = `${prefix}:order`;
  return {
    opts: null,
    async get<T>(key: string) {
      const value: unknown = Value.parse(await connection.send('GET', start + key));
      // What a value holds is the business of the serialisers above.
      return value as StoredData<T>;
    },
    async set(key: string, value: string, ttl?: number) {
      const life = ttl === undefined ? '' : String(Math.max(1, Math.ceil(ttl)));
      await connection.eval(WRITE, {
        keys: [start + key, order],
        arguments: [value, life, String(maxRows), start, key],
      });
    },
    async delete(key) {
      return (await connection.eval(REMOVE, { keys: [start + key, order], arguments: [key] })) === 1;
    },
    async clear() {
      while ((await connection.eval(EMPTY, { keys: [order], arguments: [start] })) !== 0);
    },
    // Every failure is thrown at the call that met it; there are no others to tell of.
    on() {
      return this;
    },
  };
}
