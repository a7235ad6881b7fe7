import { z } from 'zod';
import { type Document, type Documents, VERSIONS } from '../documents.ts';
import { PREFIX, type RedisConnection } from './connection.ts';

/** KEYS: the collection. ARGV: the key. */
const READ = `return { redis.call('TIME'), redis.call('HGET', KEYS[1], ARGV[1]) }`;

/**
 * KEYS: the versions, then the collection of each document. ARGV: how many of the documents were read, the others are
 * written; then of each its collection's name, its key, and its text after a plus sign or nothing.
 */
const COMMIT = `
local function at(index) return KEYS[index + 1], ARGV[3 * index - 1], ARGV[3 * index], ARGV[3 * index + 1] end
local read = tonumber(ARGV[1])
for index = 1, read do
  local hash, _, key, text = at(index)
  local stored = redis.call('HGET', hash, key)
  if (stored and '+' .. stored or '') ~= text then return 0 end
end
local names = {}
for index = read + 1, #KEYS - 1 do
  local hash, name, key, text = at(index)
  if text == '' then redis.call('HDEL', hash, key) else redis.call('HSET', hash, key, string.sub(text, 2)) end
  names[name] = true
end
local time = redis.call('TIME')
for name in pairs(names) do
  local version = tonumber(redis.call('HGET', KEYS[1], name) or 0)
  redis.call('HSET', KEYS[1], name, string.format('%.0f', math.max(version + 1, time[1] * 1000000 + time[2])))
end
return 1`;

/** Documents a page: tens of thousands at once would take longer than a command may. */
const PAGE_SIZE = 1000;

/** Redis's time: seconds, and the microseconds within the second. */
const Read = z.tuple([z.tuple([z.coerce.number(), z.coerce.number()]), z.string().nullable()]);
/** Cursor of the next page, and keys and texts in turn, or keys alone. */
const Page = z.tuple([z.string(), z.array(z.string())]);

/** KEYS: the collection. ARGV: the text to be found, where the page begins, how many documents to look at. */
const SEARCH = `
local page = redis.call('HSCAN', KEYS[1], ARGV[2], 'COUNT', ARGV[3])
local found = {}
for index = 1, #page[2], 2 do
  local key, text = page[2][index], page[2][index + 1]
  if string.find(key, ARGV[1], 1, true) or string.find(text, ARGV[1], 1, true) then table.insert(found, key) end
end
return { page[1], found }`;
/** Documents that one script looks at: some have tens of kilobytes, and Redis answers nobody else meanwhile. */
const SEARCH_PAGE_SIZE = 100;

/** The hash of a collection. */
export function hashOf(collection: string): string {
  return `${PREFIX}:documents:${collection}`;
}

/** Keeps each collection in a hash. */
export function createRedisDocuments(connection: RedisConnection): Documents {
  async function all(collection: string): Promise<ReadonlyMap<string, string>> {
    const texts = new Map<string, string>();
    let page = '0';
    do {
      const reply = await connection.send('HSCAN', hashOf(collection), page, 'COUNT', String(PAGE_SIZE));
      const [next, fields] = Page.parse(reply);
      for (let at = 0; at + 1 < fields.length; at += 2) texts.set(fields[at] ?? '', fields[at + 1] ?? '');
      page = next;
    } while (page !== '0');
    return texts;
  }

  return {
    async read(collection, key) {
      const reply = await connection.eval(READ, { keys: [hashOf(collection)], arguments: [key] });
      const [[seconds, microseconds], text] = Read.parse(reply);
      return { text, now: seconds * 1000 + Math.floor(microseconds / 1000) };
    },
    all,
    async commit(seen, writes) {
      const documents = [...seen, ...writes];
      const reply = await connection.eval(COMMIT, {
        keys: [hashOf(VERSIONS), ...documents.map(({ collection }) => hashOf(collection))],
        arguments: [
          String(seen.length),
          ...documents.flatMap(({ collection, key, text }) => [
            collection,
            key,
            text === null ? '' : `+${text}`,
          ]),
        ],
      });
      return reply === 1;
    },
    async naming(text, within) {
      const matches: Pick<Document, 'collection' | 'key'>[] = [];
      const collections = within === undefined ? [...(await all(VERSIONS)).keys()] : [within];
      for (const collection of collections) {
        let page = '0';
        do {
          const options = { keys: [hashOf(collection)], arguments: [text, page, String(SEARCH_PAGE_SIZE)] };
          const [next, keys] = Page.parse(await connection.eval(SEARCH, options));
          matches.push(...keys.map((key) => ({ collection, key })));
          page = next;
        } while (page !== '0');
      }
      return matches;
    },
  };
}
