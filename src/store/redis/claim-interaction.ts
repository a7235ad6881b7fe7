import { MINUTE } from '../../base/duration.ts';
import type { RedisConnection } from './connection.ts';

/** An interaction expires after 15 minutes; all processes receive it at the same moment. */
const HELD = 15 * MINUTE;

/** See `Stores.claimInteraction`. */
export function createClaimInteraction(
  connection: RedisConnection,
  prefix: string,
): (interactionId: string) => Promise<boolean> {
  return async (id) =>
    (await connection.send('SET', `${prefix}:taken:${id}`, '1', 'NX', 'PX', String(HELD))) === 'OK';
}
