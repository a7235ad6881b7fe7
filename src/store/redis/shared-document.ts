import { z } from 'zod';
import type { SharedDocument } from '../shared-document.ts';
import type { RedisConnection } from './connection.ts';

/** Where the processes' agreement is stored. */
export function fleetKey(prefix: string): string {
  return `${prefix}:fleet`;
}

const READ = `return { redis.call('TIME'), redis.call('GET', KEYS[1]) }`;
/** ARGV: the expected text (empty for none), the next one. */
const REPLACE = `
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
return 1`;

/** Redis's time: seconds, and the microseconds within the second. */
const Read = z.tuple([z.tuple([z.coerce.number(), z.coerce.number()]), z.string().nullable()]);

export function createRedisDocument(connection: RedisConnection, key: string): SharedDocument {
  return {
    async read() {
      const [[seconds, microseconds], text] = Read.parse(
        await connection.eval(READ, { keys: [key], arguments: [] }),
      );
      return { text, now: seconds * 1000 + Math.floor(microseconds / 1000) };
    },
    async replace(from, next) {
      return (await connection.eval(REPLACE, { keys: [key], arguments: [from ?? '', next] })) === 1;
    },
  };
}
