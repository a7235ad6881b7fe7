import { z } from 'zod';
import { StoreError } from '../../base/errors.ts';
import { json } from '../../base/json.ts';
import {
  type BoardRecord,
  type BoardRecords,
  BoardSettings,
  BoardState,
  type Fence,
  newState,
} from '../../board/board-records.ts';
import type { RedisConnection } from './connection.ts';
import { fleetKey } from './shared-document.ts';

/**
 * KEYS: settings, states, the version. ARGV: the channel, then the value(s) to write. A state is stored only for an
 * existing board. With a fourth key, the processes' agreement, and a shard, a holder and a fence at the end of ARGV, only
 * that lease of the shard may write: a process that stood still and lost it changes nothing.
 */
const PROVEN = `
local shard, holder, fence = ARGV[#ARGV - 2], ARGV[#ARGV - 1], ARGV[#ARGV]
if shard ~= '' then
  local fleet = redis.call('GET', KEYS[4])
  local lease = fleet and cjson.decode(fleet).leases[shard]
  if not lease or lease.holder ~= holder or lease.fence ~= tonumber(fence) then return 0 end
end`;
const SAVE_SETTINGS = `
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('HSETNX', KEYS[2], ARGV[1], ARGV[3])
redis.call('INCR', KEYS[3])`;
const SAVE_STATE = `${PROVEN}
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then redis.call('HSET', KEYS[2], ARGV[1], ARGV[2]) end
return 1`;
const REMOVE = `${PROVEN}
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('INCR', KEYS[3])
return 1`;
/** ARGV: where the last page ended (0 for the first one), boards a page. A board can be in two pages. */
const PAGE = `
local next, fields = unpack(redis.call('HSCAN', KEYS[1], ARGV[1], 'COUNT', ARGV[2]))
local boards = {}
for at = 1, #fields, 2 do
  table.insert(boards, { fields[at], fields[at + 1], redis.call('HGET', KEYS[2], fields[at]) })
end
return { next, boards }`;
/** They take a few ms: thirty thousand boards at once would take longer than a command may. */
const BOARDS_A_PAGE = 1000;

/** ARGV: the channel, the old settings, the new settings. */
const REPLACE = `
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('INCR', KEYS[3])
return 1`;

/** Alternating names and values, as Redis returns a hash. */
const Fields = z.array(z.string()).transform((flat) => {
  const fields = new Map<string, string>();
  for (let index = 0; index + 1 < flat.length; index += 2)
    fields.set(flat[index] ?? '', flat[index + 1] ?? '');
  return fields;
});
/** None before the first change. */
const Version = z.coerce.number();
const Settings = json(BoardSettings);
const State = json(BoardState);
const Page = z.tuple([z.string(), z.array(z.tuple([z.string(), z.string(), z.string().nullable()]))]);

export interface RedisBoardRecords extends BoardRecords {
  /** Removes the person as the maker of their boards. */
  forgetMaker(personId: string): Promise<void>;
}

export function createRedisBoardRecords(
  connection: RedisConnection,
  options: {
    readonly prefix: string;
    readonly unreadable: (channelId: string) => void;
  },
): RedisBoardRecords {
  const settingsKey = `${options.prefix}:boards`;
  const versionKey = `${settingsKey}:version`;
  const keys = [settingsKey, `${settingsKey}:states`, versionKey];

  async function write(script: string, values: readonly string[], fence: Fence): Promise<void> {
    const { shard, holder, fence: number } = fence;
    const written = await connection.eval(script, {
      keys: [...keys, fleetKey(options.prefix)],
      arguments: [...values, shard, holder, String(number)],
    });
    if (written !== 1) throw new StoreError('another process keeps this board by now');
  }

  return {
    async all() {
      const boards = await readPages(connection, keys, options.unreadable);
      return boards.toSorted((a, b) => a.settings.madeAt - b.settings.madeAt);
    },
    version: async () => Version.parse(await connection.send('GET', versionKey)),
    async saveSettings(settings) {
      const stored = [settings.channelId, JSON.stringify(settings), JSON.stringify(newState)];
      await connection.eval(SAVE_SETTINGS, { keys, arguments: stored });
    },
    saveState: (channelId, state, fence) => write(SAVE_STATE, [channelId, JSON.stringify(state)], fence),
    remove: (channelId, fence) => write(REMOVE, [channelId], fence),
    async forgetMaker(personId) {
      const stored = Fields.parse(await connection.send('HGETALL', settingsKey));
      for (const [channelId, text] of stored) {
        const settings = Settings.safeParse(text).data;
        if (settings?.madeBy !== personId) continue;
        const forgotten = JSON.stringify({ ...settings, madeBy: '' });
        const replaced = await connection.eval(REPLACE, {
          keys,
          arguments: [channelId, text, forgotten],
        });
        // Changed by someone else meanwhile: start again.
        if (replaced !== 1) return this.forgetMaker(personId);
      }
    },
  };
}

/** A board that is in two pages is there once. */
async function readPages(
  connection: RedisConnection,
  keys: readonly string[],
  unreadable: (channelId: string) => void,
): Promise<readonly BoardRecord[]> {
  const found = new Map<string, BoardRecord>();
  let page = '0';
  do {
    const read = await connection.eval(PAGE, { keys, arguments: [page, String(BOARDS_A_PAGE)] });
    const [next, boards] = Page.parse(read);
    for (const [channelId, text, stateText] of boards) {
      const settings = Settings.safeParse(text);
      const state = State.safeParse(stateText).data ?? newState;
      if (settings.success) found.set(channelId, { settings: settings.data, state });
      else unreadable(channelId);
    }
    page = next;
  } while (page !== '0');
  return [...found.values()];
}
