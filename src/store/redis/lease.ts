import type { RedisConnection } from './connection.ts';

/** ARGV: the holder, milliseconds. It expires by the server's clock. */
const LEASE = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;
const RELEASE = `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end`;

/** Of all processes that use the database, one has the lease of this key. */
export function createRedisLease(connection: RedisConnection, key: string) {
  return {
    /** Takes or renews the lease for `ms` from the server's own time. False: another process holds it. */
    lease: async (holder: string, _now: number, ms: number) =>
      (await connection.eval(LEASE, { keys: [key], arguments: [holder, String(ms)] })) === 1,
    release: async (holder: string) =>
      void (await connection.eval(RELEASE, { keys: [key], arguments: [holder] })),
  };
}
