import { z } from 'zod';
import { MOST_PER_PLACE, MOST_WATCHES, placeKey, Watch, type Watches } from '../../alerts/watches.ts';
import { json } from '../../base/json.ts';
import type { RedisConnection } from './connection.ts';
import { createRedisWatchPeople } from './watch-people.ts';

/**
 * KEYS: watches by id, the place of each, their states, the version. A place's watches are counted over all: there are
 * few additions.
 * ARGV: the id, the watch, its place, the most per place, the most in all, its state if it has one.
 */
const ADD = `
if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[5]) then return 'full' end
local there = 0
for _, place in ipairs(redis.call('HVALS', KEYS[2])) do
  if place == ARGV[3] then there = there + 1 end
end
if there >= tonumber(ARGV[4]) then return 'too-many' end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
if ARGV[6] then redis.call('HSET', KEYS[3], ARGV[1], ARGV[6]) end
redis.call('INCR', KEYS[4])
return 'added'`;
/** ARGV: the id. */
const REMOVE = `
redis.call('INCR', KEYS[4])
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('HDEL', KEYS[3], ARGV[1])
return redis.call('HDEL', KEYS[1], ARGV[1])`;
/** ARGV: the id, the watch as it was, as it is to be. */
const REPLACE = `
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('INCR', KEYS[4])
return 1`;
/** ARGV: ids and states in turn. */
const SAVE_STATES = `
for index = 1, #ARGV, 2 do
  if redis.call('HEXISTS', KEYS[1], ARGV[index]) == 1 then
    redis.call('HSET', KEYS[3], ARGV[index], ARGV[index + 1])
  end
end`;

const Added = z.enum(['added', 'too-many', 'full']);
const Texts = z.array(z.string());
const Text = z.string().nullable();
/** Alternating names and values, as Redis returns a hash. */
const Fields = Texts.transform((flat) =>
  flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? ''] as const] : [])),
);
const StoredWatch = json(Watch);

export interface RedisWatches extends Watches {
  /** Removes the person: their own watches go, and those of channels lose their maker. */
  forgetPerson(personId: string): Promise<void>;
}

export function createRedisWatches(connection: RedisConnection, prefix: string): RedisWatches {
  const watchesKey = `${prefix}:watches`;
  const [statesKey, versionKey] = [`${watchesKey}:states`, `${watchesKey}:version`];
  const keys = [watchesKey, `${watchesKey}:places`, statesKey, versionKey];
  const run = (script: string, ...values: readonly string[]): Promise<unknown> =>
    connection.eval(script, { keys, arguments: values });
  const people = createRedisWatchPeople(connection, prefix, {
    changed: async () => void (await connection.send('INCR', versionKey)),
  });

  async function all(): Promise<readonly Watch[]> {
    const texts = Texts.parse(await connection.send('HVALS', watchesKey));
    return texts
      .flatMap((text) => StoredWatch.safeParse(text).data ?? [])
      .toSorted((a, b) => a.since - b.since);
  }

  async function update(id: string, change: (watch: Watch) => Watch): Promise<boolean> {
    const text = Text.parse(await connection.send('HGET', watchesKey, id));
    const watch = StoredWatch.safeParse(text).data;
    if (text === null || watch === undefined) return false;
    const replaced = await run(REPLACE, id, text, JSON.stringify(Watch.parse(change(watch))));
    // Changed by someone else meanwhile: start again.
    return replaced === 1 || update(id, change);
  }

  const remove = async (id: string): Promise<boolean> => (await run(REMOVE, id)) === 1;

  return {
    ...people,
    version: async () => Number(Text.parse(await connection.send('GET', versionKey)) ?? 0),
    all,
    of: async (person) => (await all()).filter((watch) => watch.person === person),
    in: async (guild) =>
      (await all()).filter(({ place }) => place.kind === 'channel' && place.guild === guild),
    async add(watch, state) {
      const written = [watch.id, JSON.stringify(Watch.parse(watch)), placeKey(watch)];
      const limits = [MOST_PER_PLACE, MOST_WATCHES].map(String);
      return Added.parse(await run(ADD, ...written, ...limits, ...(state === undefined ? [] : [state])));
    },
    update,
    remove,
    states: async () => new Map(Fields.parse(await connection.send('HGETALL', statesKey))),
    async saveStates(states) {
      if (states.size > 0) await run(SAVE_STATES, ...[...states].flat());
    },
    async forgetPerson(personId) {
      await people.forbid(personId, null);
      await people.takePauseNotice(personId);
      for (const [id, text] of Fields.parse(await connection.send('HGETALL', watchesKey))) {
        if (!text.includes(personId)) continue;
        const watch = StoredWatch.safeParse(text).data;
        if (watch?.person === personId && watch.place.kind === 'channel')
          await update(id, (now) => ({ ...now, person: '' }));
        // One that cannot be read goes as well.
        else if (watch === undefined || watch.person === personId) await remove(id);
      }
    },
  };
}
