import { json } from '../../service/json.ts';
import { sameSpelling } from '../../service/models/identifiers.ts';
import { Link, type Links } from '../links.ts';
import type { RedisConnection } from './connection.ts';

/**
 * Both ways round, so that one driver has one account: KEYS[1] person → link, KEYS[2] folded username → person.
 * ARGV: the person.
 */
const UNLINK = `
local function unlink(person)
  local found, link = pcall(cjson.decode, redis.call('HGET', KEYS[1], person) or '')
  if found and link.folded and redis.call('HGET', KEYS[2], link.folded) == person then
    redis.call('HDEL', KEYS[2], link.folded)
  end
  return redis.call('HDEL', KEYS[1], person)
end
`;
const REMOVE_LINK = `${UNLINK}
return unlink(ARGV[1])`;
/** ARGV: the person, the folded username, the link, on whose word. */
const SET_LINK = `${UNLINK}
local owner = redis.call('HGET', KEYS[2], ARGV[2])
if owner and owner ~= ARGV[1] then
  if ARGV[4] == 'self' then return 0 end
  unlink(owner)
end
unlink(ARGV[1])
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('HSET', KEYS[2], ARGV[2], ARGV[1])
return 1`;

const StoredLink = json(Link);

export function createRedisLinks(connection: RedisConnection, prefix: string): Links {
  const keys = [`${prefix}:links`, `${prefix}:drivers`];
  return {
    async of(personId) {
      return StoredLink.safeParse(await connection.send('HGET', `${prefix}:links`, personId)).data ?? null;
    },
    async set(personId, link) {
      const { username, since, by } = Link.parse(link);
      const folded = sameSpelling(username);
      const stored = JSON.stringify({ username, since, by, folded });
      const done = await connection.eval(SET_LINK, { keys, arguments: [personId, folded, stored, by] });
      return done === 1 ? 'linked' : 'taken';
    },
    async remove(personId) {
      return (await connection.eval(REMOVE_LINK, { keys, arguments: [personId] })) === 1;
    },
  };
}
