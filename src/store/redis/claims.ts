import type { SharedConnection } from './connection.ts';

/** Chat gives up on an interaction after a quarter of an hour, and delivers it to all processes at the same moment. */
const HELD = 15 * 60_000;

/** What one process takes upon itself alone. True: this one does. Rejects when the store is away. */
export function createClaims(connection: SharedConnection, prefix: string): (id: string) => Promise<boolean> {
  return async (id) =>
    (await connection.send('SET', `${prefix}:taken:${id}`, '1', 'NX', 'PX', String(HELD))) === 'OK';
}
