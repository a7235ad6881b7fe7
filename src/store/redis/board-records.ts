import { z } from 'zod';
import { json } from '../../service/json.ts';
import {
  type BoardRecord,
  type BoardRecords,
  BoardSettings,
  BoardState,
  newState,
} from '../board-records.ts';
import type { RedisConnection } from './connection.ts';
import { createRedisLease } from './lease.ts';

/**
 * KEYS: settings, states. ARGV: the channel, then the value(s) to write. A state is stored only for an existing
 * board.
 */
const SAVE_SETTINGS = `
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('HSETNX', KEYS[2], ARGV[1], ARGV[3])`;
const SAVE_STATE = `
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then redis.call('HSET', KEYS[2], ARGV[1], ARGV[2]) end`;
const REMOVE = `
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])`;
const ALL = `return { redis.call('HGETALL', KEYS[1]), redis.call('HGETALL', KEYS[2]) }`;

/** ARGV: the channel, the old settings, the new settings. */
const REPLACE = `
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1`;

/** Alternating names and values, as Redis returns a hash. */
const Fields = z.array(z.string()).transform((flat) => {
  const fields = new Map<string, string>();
  for (let index = 0; index + 1 < flat.length; index += 2)
    fields.set(flat[index] ?? '', flat[index + 1] ?? '');
  return fields;
});
const Settings = json(BoardSettings);
const State = json(BoardState);

export interface RedisBoardRecords extends BoardRecords {
  /** Removes the person as the maker of their boards. */
  forgetMaker(personId: string): Promise<void>;
}

export function createRedisBoardRecords(
  connection: RedisConnection,
  options: { readonly prefix: string; readonly unreadable: (channelId: string) => void },
): RedisBoardRecords {
  const settingsKey = `${options.prefix}:boards`;
  const keys = [settingsKey, `${options.prefix}:boards:states`];

  return {
    async all() {
      const stored = await connection.eval(ALL, { keys, arguments: [] });
      const [settings, states] = z.tuple([Fields, Fields]).parse(stored);
      return [...settings]
        .flatMap(([channelId, text]): readonly BoardRecord[] => {
          const read = Settings.safeParse(text);
          if (!read.success) {
            options.unreadable(channelId);
            return [];
          }
          const state = State.safeParse(states.get(channelId));
          return [{ settings: read.data, state: state.data ?? newState }];
        })
        .toSorted((a, b) => a.settings.madeAt - b.settings.madeAt);
    },
    async saveSettings(settings) {
      const stored = [settings.channelId, JSON.stringify(settings), JSON.stringify(newState)];
      await connection.eval(SAVE_SETTINGS, { keys, arguments: stored });
    },
    async saveState(channelId, state) {
      await connection.eval(SAVE_STATE, { keys, arguments: [channelId, JSON.stringify(state)] });
    },
    async remove(channelId) {
      await connection.eval(REMOVE, { keys, arguments: [channelId] });
    },
    ...createRedisLease(connection, `${options.prefix}:boards:lease`),
    async forgetMaker(personId) {
      const stored = Fields.parse(await connection.send('HGETALL', settingsKey));
      for (const [channelId, text] of stored) {
        const settings = Settings.safeParse(text).data;
        if (settings?.madeBy !== personId) continue;
        const forgotten = JSON.stringify({ ...settings, madeBy: '' });
        const replaced = await connection.eval(REPLACE, {
          keys: [settingsKey],
          arguments: [channelId, text, forgotten],
        });
        // Changed by someone else meanwhile: start again.
        if (replaced !== 1) return this.forgetMaker(personId);
      }
    },
  };
}
