import { z } from 'zod';
import { json } from '../../base/json.ts';
import { Correction, type Link, type Links } from '../../people/links.ts';
import { sameSpelling } from '../../service/models/identifiers.ts';
import type { RedisConnection } from './connection.ts';

/**
 * KEYS[1] and [2]: the links, in both directions; KEYS[3]: person → correction, of one guild; KEYS[4]: the keys of all
 * guilds that have some. ARGV: the person, the folded username or nothing, the correction.
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

const StoredCorrection = json(Correction.extend({ folded: z.string().nullable() }));
const Names = z.array(z.string());

/** Who is which driver in one guild, where an administrator has said so. */
interface Corrections {
  /** Null: no driver there. Undefined: nobody has said anything. */
  linkIn(guildId: string, personId: string): Promise<Link | null | undefined>;
  /** Whether somebody else is that driver there. */
  isGivenAway(guildId: string, username: string): Promise<boolean>;
  readonly correct: Links['correct'];
  readonly of: Links['corrections'];
}

/** `linkKeys`: of the links themselves, which a correction leaves alone. */
export function createRedisCorrections(
  connection: RedisConnection,
  prefix: string,
  linkKeys: readonly string[],
): Corrections {
  const guilds = guildsKey(prefix);
  const keyOf = (guildId: string): string => `${guilds}:${guildId}`;

  async function saidIn(key: string, personId: string) {
    return StoredCorrection.safeParse(await connection.send('HGET', key, personId)).data ?? null;
  }

  return {
    async linkIn(guildId, personId) {
      const said = await saidIn(keyOf(guildId), personId);
      if (said === null) return undefined;
      const { username, since } = said;
      return username === null ? null : { username, since, by: 'administrator' };
    },
    async isGivenAway(guildId, username) {
      const folded = sameSpelling(username);
      const all = Names.parse(await connection.send('HVALS', keyOf(guildId)));
      return all.some((text) => StoredCorrection.safeParse(text).data?.folded === folded);
    },
    async correct(personId, correction) {
      const { guild, username, since } = Correction.parse(correction);
      const folded = username === null ? null : sameSpelling(username);
      const stored = JSON.stringify({ guild, username, since, folded });
      const changed = await connection.eval(CORRECT, {
        keys: [...linkKeys, keyOf(guild), guilds],
        arguments: [personId, folded ?? '', stored],
      });
      return Names.parse(changed);
    },
    async of(personId) {
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

/** The key of the guilds that have corrections. */
function guildsKey(prefix: string): string {
  return `${prefix}:corrections`;
}

/** Deletes a person's corrections in all guilds. */
export async function forgetCorrections(
  connection: RedisConnection,
  prefix: string,
  personId: string,
): Promise<void> {
  for (const key of Names.parse(await connection.send('SMEMBERS', guildsKey(prefix))))
    await connection.send('HDEL', key, personId);
}
