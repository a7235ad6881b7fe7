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
