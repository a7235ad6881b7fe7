/** What is wrong with a Redis, and what to do about it. */
import { z } from 'zod';
import type { RedisConnection } from './connection.ts';

const Info = z.string();

/** The settings of Redis that lose data, each with its remedy. */
export async function adviceFor(connection: RedisConnection): Promise<readonly string[]> {
  const memory = Info.parse(await connection.send('INFO', 'memory'));
  const persistence = Info.parse(await connection.send('INFO', 'persistence'));
  const isBounded = !/^maxmemory:0\r?$/m.test(memory);
  const evicts = isBounded && !/^maxmemory_policy:noeviction\r?$/m.test(memory);
  return [
    ...(evicts ? ['Redis may evict links and the request ledger: set maxmemory-policy noeviction'] : []),
    ...(/^aof_enabled:1\r?$/m.test(persistence)
      ? []
      : ['a Redis restart loses what is not saved yet: set appendonly yes']),
  ];
}

/** Why Redis cannot be used, in our own words: a library's message may contain the address and the password. */
export function whyNot(trouble: unknown): string {
  const why = whyRefused(trouble);
  if (why !== null) return why;
  const code = codeOf(trouble);
  return `STORE_URL: Redis cannot be reached${code === '' ? '' : ` (${code})`}; start it, or correct the host, the port or redis/rediss`;
}

/** The same where another attempt is pointless until something has been corrected; else null. */
export function whyRefused(trouble: unknown): string | null {
  const text = trouble instanceof Error ? trouble.message : '';
  if (/^(?:WRONGPASS|NOAUTH|NOPERM|ERR AUTH)/.test(text))
    return 'STORE_URL: Redis rejects the user name or password; correct them';
  if (/^ERR (?:invalid DB|DB index)/i.test(text))
    return 'STORE_URL: Redis has no database with this number; name another one';
  const code = codeOf(trouble);
  // OpenSSL's names for a server that speaks no TLS, and for certificates that cannot be verified.
  if (/^(?:ERR_SSL|ERR_TLS|CERT|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED)_/.test(code))
    return `STORE_URL: no TLS connection to Redis (${code}); correct redis/rediss, the host, the port or Redis's certificate`;
  return null;
}

function codeOf(trouble: unknown): string {
  const code: unknown = trouble instanceof Error ? Reflect.get(trouble, 'code') : undefined;
  return typeof code === 'string' ? code : '';
}
