import { z } from 'zod';
import { json } from '../../base/json.ts';
import { Link, type Links } from '../../people/links.ts';
import { sameSpelling } from '../../service/models/identifiers.ts';
import type { RedisConnection } from './connection.ts';
import { createRedisCorrections } from './corrections.ts';

/**
 * Stored in both directions, so that a driver has one account: KEYS[1] person → link, KEYS[2] folded username →
 * person.
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
/** ARGV: the person, the folded username, the link. */
const SET_LINK = `${UNLINK}
local owner = redis.call('HGET', KEYS[2], ARGV[2])
if owner and owner ~= ARGV[1] then
  local found, link = pcall(cjson.decode, redis.call('HGET', KEYS[1], owner) or '')
  if found and link.by == 'self' then return 0 end
  unlink(owner)
end
local link = cjson.decode(ARGV[3])
local known, before = pcall(cjson.decode, redis.call('HGET', KEYS[1], ARGV[1]) or '')
if known and before.folded == ARGV[2] then
  link.hidden = before.hidden == true
  if type(before.since) == 'number' then link.since = math.min(before.since, link.since) end
end
unlink(ARGV[1])
redis.call('HSET', KEYS[1], ARGV[1], cjson.encode(link))
redis.call('HSET', KEYS[2], ARGV[2], ARGV[1])
return 1`;

/** ARGV: the person, the link as it was, as it shall be. */
const REPLACE_LINK = `
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1`;

const StoredLink = json(Link);
const LinkedLink = json(z.object({ username: z.string(), hidden: z.boolean().default(false) }));
const Names = z.array(z.string());

export function createRedisLinks(connection: RedisConnection, prefix: string): Links {
  const linksKey = `${prefix}:links`;
  const keys = [linksKey, `${prefix}:drivers`];
  const corrected = createRedisCorrections(connection, prefix, keys);

  async function own(personId: string): Promise<Link | null> {
    return StoredLink.safeParse(await connection.send('HGET', linksKey, personId)).data ?? null;
  }

  return {
    async of(personId, guildId = null) {
      if (guildId === null) return own(personId);
      const said = await corrected.linkIn(guildId, personId);
      if (said !== undefined) return said;
      const link = await own(personId);
      return link === null || (await corrected.isGivenAway(guildId, link.username)) ? null : link;
    },
    async set(personId, link) {
      const { username, since, by } = Link.parse(link);
      const folded = sameSpelling(username);
      const stored = JSON.stringify({ username, since, by, folded });
      const done = await connection.eval(SET_LINK, { keys, arguments: [personId, folded, stored] });
      return done === 1 ? 'linked' : 'taken';
    },
    async remove(personId) {
      return (await connection.eval(REMOVE_LINK, { keys, arguments: [personId] })) === 1;
    },
    async hide(personId, hidden) {
      const text = await connection.send('HGET', linksKey, personId);
      const link = StoredLink.safeParse(text).data;
      if (typeof text !== 'string' || link === undefined) return false;
      const { username, since, by } = link;
      const next = JSON.stringify({ username, since, by, folded: sameSpelling(username), hidden });
      const done = await connection.eval(REPLACE_LINK, { keys, arguments: [personId, text, next] });
      // Changed by someone else meanwhile: start again.
      return done === 1 || this.hide(personId, hidden);
    },
    async linked() {
      const all = Names.parse(await connection.send('HVALS', linksKey));
      return all.flatMap((text) => LinkedLink.safeParse(text).data ?? []);
    },
    correct: corrected.correct,
    corrections: corrected.of,
  };
}
