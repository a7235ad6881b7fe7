import { z } from 'zod';
import { pauses, type Watches } from '../../alerts/watches.ts';
import { sameSpelling } from '../../service/models/identifiers.ts';
import type { RedisConnection } from './connection.ts';

/** KEYS: the notices. ARGV: the person. */
const TAKE_WORD = `
local why = redis.call('HGET', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[1], ARGV[1])
return why`;

const Word = z.enum(pauses).nullable().catch(null);
const Player = z.string().nullable();
const Players = z.array(z.string());

/** What is kept of a person beside their watches. */
type WatchPeople = Pick<
  Watches,
  'leavePauseNotice' | 'takePauseNotice' | 'forbid' | 'forbiddenBy' | 'forbidden'
>;

/** `changed`: marks the watches as changed; no process may act on those that are now forbidden. */
export function createRedisWatchPeople(
  connection: RedisConnection,
  prefix: string,
  { changed }: { readonly changed: () => Promise<void> },
): WatchPeople {
  const wordsKey = `${prefix}:watches:words`;
  const unwatchedKey = `${prefix}:unwatched`;
  return {
    async leavePauseNotice(person, why) {
      await connection.send('HSET', wordsKey, person, why);
    },
    takePauseNotice: async (person) =>
      Word.parse(await connection.eval(TAKE_WORD, { keys: [wordsKey], arguments: [person] })),
    async forbid(person, player) {
      if (player === null) await connection.send('HDEL', unwatchedKey, person);
      else await connection.send('HSET', unwatchedKey, person, player);
      await changed();
    },
    forbiddenBy: async (person) => Player.parse(await connection.send('HGET', unwatchedKey, person)),
    forbidden: async () =>
      new Set(Players.parse(await connection.send('HVALS', unwatchedKey)).map(sameSpelling)),
  };
}
