/** What is stored of people and guilds, for all processes that use the same shared store. */
import { z } from 'zod';
import { sameSpelling } from '../../service/models/identifiers.ts';
import { defaultSettings, GuildSettings, type GuildSettingsStore } from '../guild-settings.ts';
import { json } from '../json.ts';
import { Link, type Links } from '../links.ts';
import { Subscription, type Subscriptions } from '../subscriptions.ts';
import type { SharedConnection } from './connection.ts';

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

/** A link that cannot be read counts as none: its person can make it anew. */
export function createSharedLinks(connection: SharedConnection, prefix: string): Links {
  const keys = [`${prefix}:links`, `${prefix}:drivers`];
  return {
    async of(personId) {
      return StoredLink.safeParse(await connection.send('HGET', `${prefix}:links`, personId)).data ?? null;
    },
    async set(personId, { username, since, by }) {
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

/** A setting that cannot be read is the default. */
export function createSharedGuildSettings(connection: SharedConnection, prefix: string): GuildSettingsStore {
  const key = `${prefix}:guild-settings`;
  const Stored = json(GuildSettings);
  return {
    async of(guildId) {
      if (guildId === null) return defaultSettings;
      return Stored.safeParse(await connection.send('HGET', key, guildId)).data ?? defaultSettings;
    },
    async set(guildId, settings) {
      await connection.send('HSET', key, guildId, JSON.stringify(settings));
    },
  };
}

/** ARGV: who wants what, the subscription. In front of each stands its place in the order. */
const SUBSCRIBE = `
local place = redis.call('INCR', KEYS[2])
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f', place) .. ' ' .. ARGV[2])`;

/** ARGV: now. One that cannot be read goes as well. */
const WAITING = `
local waiting = {}
local all = redis.call('HGETALL', KEYS[1])
for index = 1, #all, 2 do
  local found, subscription = pcall(cjson.decode, (string.gsub(all[index + 1], '^%d+ ', '')))
  if found and type(subscription) == 'table' and (tonumber(subscription.expires) or 0) > tonumber(ARGV[1]) then
    table.insert(waiting, all[index + 1])
  else
    redis.call('HDEL', KEYS[1], all[index])
  end
end
return waiting`;

const Waiting = z.array(
  z.templateLiteral([z.int(), ' {', z.string()]).transform((text) => {
    const space = text.indexOf(' ');
    return { place: Number(text.slice(0, space)), text: text.slice(space + 1) };
  }),
);
const StoredSubscription = json(Subscription);

export function createSharedSubscriptions(connection: SharedConnection, prefix: string): Subscriptions {
  const keys = [`${prefix}:subscriptions`, `${prefix}:subscriptions:last`];
  const nameOf = (person: string, server: string): string => JSON.stringify([person, server]);

  async function waiting(now: number): Promise<readonly Subscription[]> {
    const found = Waiting.parse(
      await connection.eval(WAITING, { keys: keys.slice(0, 1), arguments: [String(now)] }),
    );
    return found
      .toSorted((a, b) => a.place - b.place)
      .flatMap(({ text }) => StoredSubscription.safeParse(text).data ?? []);
  }

  return {
    async add(subscription) {
      const { person, server } = subscription;
      await connection.eval(SUBSCRIBE, {
        keys,
        arguments: [nameOf(person, server), JSON.stringify(subscription)],
      });
    },
    waiting,
    async of(person, now) {
      return (await waiting(now)).filter((each) => each.person === person);
    },
    async remove(person, server) {
      return (await connection.send('HDEL', `${prefix}:subscriptions`, nameOf(person, server))) === 1;
    },
  };
}
