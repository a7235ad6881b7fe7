import { z } from 'zod';
import { json } from '../../service/json.ts';
import { sameSpelling } from '../../service/models/identifiers.ts';
import { Correction, Link, type Links } from '../links.ts';
import type { RedisConnection } from './connection.ts';

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
/** ARGV: the person, the folded username, the link, the link if the driver is hidden. */
const SET_LINK = `${UNLINK}
local owner = redis.call('HGET', KEYS[2], ARGV[2])
if owner and owner ~= ARGV[1] then
  local found, link = pcall(cjson.decode, redis.call('HGET', KEYS[1], owner) or '')
  if found and link.by == 'self' then return 0 end
  unlink(owner)
end
local known, before = pcall(cjson.decode, redis.call('HGET', KEYS[1], ARGV[1]) or '')
local hidden = known and before.folded == ARGV[2] and before.hidden == true
unlink(ARGV[1])
redis.call('HSET', KEYS[1], ARGV[1], hidden and ARGV[4] or ARGV[3])
redis.call('HSET', KEYS[2], ARGV[2], ARGV[1])
return 1`;

/** ARGV: the person, the link as it was, as it shall be. */
const REPLACE_LINK = `
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1`;

/**
 * KEYS[3]: person → correction, of one guild. ARGV: the person, the folded username or nothing, the correction.
 * Returns everyone whose driver there changed.
 */
const CORRECT = `
local function decoded(text)
  local found, value = pcall(cjson.decode, text or '')
  return found and type(value) == 'table' and value or nil
end
local function holder(folded)
  local all = redis.call('HGETALL', KEYS[3])
  for index = 1, #all, 2 do
    local said = decoded(all[index + 1])
    if said and said.folded == folded then return all[index] end
  end
end
local function driver(person)
  local said = decoded(redis.call('HGET', KEYS[3], person))
  if said then return type(said.folded) == 'string' and said.folded or '' end
  local link = decoded(redis.call('HGET', KEYS[1], person))
  if not link or holder(link.folded) then return '' end
  return link.folded
end
local affected = { ARGV[1] }
local others = ARGV[2] == '' and {} or { holder(ARGV[2]) or '', redis.call('HGET', KEYS[2], ARGV[2]) or '' }
for _, person in ipairs(others) do
  local known = person == ''
  for _, each in ipairs(affected) do known = known or each == person end
  if not known then table.insert(affected, person) end
end
local before = {}
for _, person in ipairs(affected) do before[person] = driver(person) end
if others[1] and others[1] ~= '' then redis.call('HDEL', KEYS[3], others[1]) end
redis.call('HSET', KEYS[3], ARGV[1], ARGV[3])
redis.call('SADD', KEYS[4], KEYS[3])
local changed = {}
for _, person in ipairs(affected) do
  if driver(person) ~= before[person] then table.insert(changed, person) end
end
return changed`;

const StoredLink = json(Link);
const LinkedLink = json(z.object({ username: z.string(), hidden: z.boolean().default(false) }));
const StoredCorrection = json(Correction.extend({ folded: z.string().nullable() }));
const Names = z.array(z.string());

export function createRedisLinks(connection: RedisConnection, prefix: string): Links {
  const keys = [`${prefix}:links`, `${prefix}:drivers`];
  /** The guilds that have corrections. */
  const guilds = `${prefix}:corrections`;
  const keyOf = (guildId: string): string => `${guilds}:${guildId}`;

  async function own(personId: string): Promise<Link | null> {
    return StoredLink.safeParse(await connection.send('HGET', `${prefix}:links`, personId)).data ?? null;
  }

  async function saidIn(key: string, personId: string) {
    return StoredCorrection.safeParse(await connection.send('HGET', key, personId)).data ?? null;
  }

  async function isGivenAway(guildId: string, username: string): Promise<boolean> {
    const folded = sameSpelling(username);
    const all = Names.parse(await connection.send('HVALS', keyOf(guildId)));
    return all.some((text) => StoredCorrection.safeParse(text).data?.folded === folded);
  }

  return {
    async of(personId, guildId = null) {
      if (guildId === null) return own(personId);
      const said = await saidIn(keyOf(guildId), personId);
      if (said !== null)
        return said.username === null
          ? null
          : { username: said.username, since: said.since, by: 'administrator' };
      const link = await own(personId);
      return link === null || (await isGivenAway(guildId, link.username)) ? null : link;
    },
    async set(personId, link) {
      const { username, since, by } = Link.parse(link);
      const folded = sameSpelling(username);
      const stored = { username, since, by, folded };
      const forms = [JSON.stringify(stored), JSON.stringify({ ...stored, hidden: true })];
      const done = await connection.eval(SET_LINK, { keys, arguments: [personId, folded, ...forms] });
      return done === 1 ? 'linked' : 'taken';
    },
    async remove(personId) {
      return (await connection.eval(REMOVE_LINK, { keys, arguments: [personId] })) === 1;
    },
    async hide(personId, hidden) {
      const text = await connection.send('HGET', `${prefix}:links`, personId);
      const link = StoredLink.safeParse(text).data;
      if (typeof text !== 'string' || link === undefined) return false;
      const { username, since, by } = link;
      const next = JSON.stringify({ username, since, by, folded: sameSpelling(username), hidden });
      const done = await connection.eval(REPLACE_LINK, { keys, arguments: [personId, text, next] });
      // Changed by someone else meanwhile: start again.
      return done === 1 || this.hide(personId, hidden);
    },
    async linked() {
      const all = Names.parse(await connection.send('HVALS', `${prefix}:links`));
      return all.flatMap((text) => LinkedLink.safeParse(text).data ?? []);
    },
    async correct(personId, correction) {
      const { guild, username, since } = Correction.parse(correction);
      const folded = username === null ? null : sameSpelling(username);
      const stored = JSON.stringify({ guild, username, since, folded });
      const changed = await connection.eval(CORRECT, {
        keys: [...keys, keyOf(guild), guilds],
        arguments: [personId, folded ?? '', stored],
      });
      return Names.parse(changed);
    },
    async corrections(personId) {
      const places = Names.parse(await connection.send('SMEMBERS', guilds)).toSorted();
      const found = await Promise.all(places.map((key) => saidIn(key, personId)));
      return found.flatMap((said) => {
        if (said === null) return [];
        const { guild, username, since } = said;
        return [{ guild, username, since }];
      });
    },
  };
}

/** Deletes a person's corrections in all guilds. */
export async function forgetCorrections(
  connection: RedisConnection,
  prefix: string,
  personId: string,
): Promise<void> {
  for (const key of Names.parse(await connection.send('SMEMBERS', `${prefix}:corrections`)))
    await connection.send('HDEL', key, personId);
}
