import { z } from 'zod';
import { type Deliveries, type Delivery, KEPT_DELIVERIES } from '../../alerts/watches.ts';
import { DAY } from '../../base/duration.ts';
import { json } from '../../base/json.ts';
import type { RedisConnection } from './connection.ts';

/**
 * KEYS: the place's deliveries by key; the unsettled ones of all places, `<place> <key>` → when they were claimed.
 * ARGV: the key, its time; how near to it (ms) a delivery counts for the cooldown, and for the limit; the time before
 * which none is kept; the limit or -1, how long to keep it in ms, the watches as a JSON list, the place.
 */
const CLAIM = `
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return {} end
local at, today, spoke = tonumber(ARGV[2]), 0, {}
local all = redis.call('HGETALL', KEYS[1])
for index = 1, #all, 2 do
  local found, delivery = pcall(cjson.decode, all[index + 1])
  if not found or type(delivery) ~= 'table' or delivery.at <= tonumber(ARGV[5]) then
    redis.call('HDEL', KEYS[1], all[index])
  else
    local apart = math.abs(at - delivery.at)
    if apart < tonumber(ARGV[4]) then today = today + 1 end
    if apart < tonumber(ARGV[3]) then
      for _, id in ipairs(delivery.watches) do spoke[id] = true end
    end
  end
end
local limit = tonumber(ARGV[6])
if limit >= 0 and today >= limit then return {} end
local may = {}
for _, id in ipairs(cjson.decode(ARGV[8])) do
  if not spoke[id] then table.insert(may, id) end
end
if #may == 0 then return {} end
redis.call('HSET', KEYS[1], ARGV[1], cjson.encode({ at = at, watches = may }))
redis.call('PEXPIRE', KEYS[1], ARGV[7])
redis.call('HSET', KEYS[2], ARGV[9] .. ' ' .. ARGV[1], ARGV[2])
return may`;

const Ids = z.array(z.string());
const Stored = json(z.object({ at: z.number(), watches: Ids }));
/** Alternating names and values, as Redis returns a hash. */
const Fields = Ids.transform((flat) =>
  flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? ''] as const] : [])),
);

export interface RedisDeliveries extends Deliveries {
  forgetPlace(place: string): Promise<void>;
}

export function createRedisDeliveries(connection: RedisConnection, prefix: string): RedisDeliveries {
  const unsettledKey = `${prefix}:unsettled`;
  const keyOf = (place: string): string => `${prefix}:deliveries:${place}`;
  const unsettled = async () => Fields.parse(await connection.send('HGETALL', unsettledKey));

  async function since(place: string, from: number): Promise<readonly Delivery[]> {
    const rows = Fields.parse(await connection.send('HGETALL', keyOf(place)));
    return rows
      .flatMap(([key, text]): readonly Delivery[] => {
        const stored = Stored.safeParse(text).data;
        return stored === undefined || stored.at <= from ? [] : [{ ...stored, place, key }];
      })
      .toSorted((a, b) => a.at - b.at);
  }

  return {
    async claim({ key, place, watches, at, cooldown, most }) {
      const times = [at, cooldown, DAY, at - KEPT_DELIVERIES];
      const rest = [...times, most ?? -1, KEPT_DELIVERIES].map(String);
      return Ids.parse(
        await connection.eval(CLAIM, {
          keys: [keyOf(place), unsettledKey],
          arguments: [key, ...rest, JSON.stringify(watches), place],
        }),
      );
    },
    async settle(place, key) {
      // How it ended matters to nobody: it was sent at most once.
      await connection.send('HDEL', unsettledKey, `${place} ${key}`);
    },
    since,
    async giveUp(before) {
      const given: Delivery[] = [];
      for (const [field, at] of await unsettled()) {
        if (Number(at) >= before) continue;
        const [place = '', key = ''] = field.split(' ');
        // Of several processes, one reports it.
        if ((await connection.send('HDEL', unsettledKey, field)) !== 1) continue;
        given.push(...(await since(place, 0)).filter((delivery) => delivery.key === key));
      }
      return given;
    },
    async forgetPlace(place) {
      await connection.send('DEL', keyOf(place));
      for (const [field] of await unsettled())
        if (field.startsWith(`${place} `)) await connection.send('HDEL', unsettledKey, field);
    },
  };
}
