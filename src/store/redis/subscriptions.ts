import { z } from 'zod';
import { json } from '../../base/json.ts';
import { Subscription, type Subscriptions } from '../subscriptions.ts';
import type { RedisConnection } from './connection.ts';

/** ARGV: the field (person and server), the subscription. Each value starts with its position in the order. */
const SUBSCRIBE = `
local place = redis.call('INCR', KEYS[2])
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f', place) .. ' ' .. ARGV[2])`;

/** ARGV: now. Unreadable ones are deleted too. */
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

export function createRedisSubscriptions(connection: RedisConnection, prefix: string): Subscriptions {
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
