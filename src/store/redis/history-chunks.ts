import { z } from 'zod';
import type { Chunk, HistoryChunks } from '../history-chunks.ts';
import { PREFIX, type RedisConnection } from './connection.ts';
import { hashOf } from './documents.ts';

/**
 * Each series is a hash, from start to text. KEYS: the index, in which `<kind>|<start>|<key>` is ordered by start,
 * and the bytes of all texts. ARGV[1]: the prefix of the hashes' keys.
 */
const COMMON = `
local index, bytes, prefix = KEYS[1], KEYS[2], ARGV[1]
local function put(kind, start, key, text)
  local hash = prefix .. kind .. '|' .. key
  local member = kind .. '|' .. start .. '|' .. key
  redis.call('INCRBY', bytes, (text and #text or 0) - redis.call('HSTRLEN', hash, start))
  if text then
    redis.call('HSET', hash, start, text)
    redis.call('ZADD', index, start, member)
  else
    redis.call('HDEL', hash, start)
    redis.call('ZREM', index, member)
  end
end
local function isOf(member, kind) return string.sub(member, 1, #kind + 1) == kind .. '|' end
local function parts(member) return string.match(member, '^([^|]*)|([^|]*)|(.*)$') end
`;

/**
 * KEYS[3]: the collection of a document that must be unchanged, if there is one; its key and text are ARGV[2] and ARGV[3].
 * ARGV[4] and on: kind, start, key, `+` and the text or nothing; repeated.
 */
const WRITE = `${COMMON}
if KEYS[3] and (redis.call('HGET', KEYS[3], ARGV[2]) or '') ~= ARGV[3] then return 0 end
for at = 4, #ARGV, 4 do
  local text = ARGV[at + 3]
  put(ARGV[at], ARGV[at + 1], ARGV[at + 2], text ~= '' and string.sub(text, 2) or nil)
end
return 1`;

/** ARGV[2] and on: kind, key, from, to; another one for the first chunk alone. */
const READ = `${COMMON}
local all = redis.call('HGETALL', prefix .. ARGV[2] .. '|' .. ARGV[3])
local found = {}
for at = 1, #all, 2 do
  local start = tonumber(all[at])
  if start >= tonumber(ARGV[4]) and start <= tonumber(ARGV[5]) then
    table.insert(found, { ARGV[3], all[at], all[at + 1] })
  end
end
table.sort(found, function(a, b) return tonumber(a[2]) < tonumber(b[2]) end)
if ARGV[6] then return { found[1] } end
return found`;

/** ARGV[2] and on: the kind, from, to; which of all chunks in the span to begin with, and how many to look at. */
const READ_KIND = `${COMMON}
local found = {}
local members = redis.call('ZRANGE', index, ARGV[3], ARGV[4], 'BYSCORE', 'LIMIT', ARGV[5], ARGV[6])
for _, member in ipairs(members) do
  if isOf(member, ARGV[2]) then
    local kind, start, key = parts(member)
    table.insert(found, { key, start, redis.call('HGET', prefix .. kind .. '|' .. key, start) })
  end
end
return { #members, found }`;

/** ARGV[2] and on: the kind, before; which of all chunks to begin with, oldest first, and how many to look at. */
const PRUNE = `${COMMON}
local at = tonumber(ARGV[4])
-- By rank: a limit within a range of scores walks over all that it leaves out.
local members = redis.call('ZRANGE', index, at, at + ARGV[5] - 1)
if #members == 0 then return end
for _, member in ipairs(members) do
  local kind, start, key = parts(member)
  if tonumber(start) >= tonumber(ARGV[3]) then return end
  if kind == ARGV[2] then put(kind, start, key) else at = at + 1 end
end
return at`;

/** ARGV[2]: the most bytes; and how many chunks to delete. */
const EVICT = `${COMMON}
for _ = 1, tonumber(ARGV[3]) do
  if tonumber(redis.call('GET', bytes) or 0) <= tonumber(ARGV[2]) then return 0 end
  local oldest = redis.call('ZRANGE', index, 0, 0)
  if #oldest == 0 then return 0 end
  put(parts(oldest[1]))
end
return 1`;

const Start = z.string().transform(Number);
const Found = z.array(z.tuple([z.string(), Start, z.string()]));
const Part = z.tuple([z.number(), Found]);
/** The chunk to go on with; null at the end. */
const Next = z.number().nullable();

/** Chunks looked at, or deleted, by one script: nobody else is answered meanwhile, for about 20 ms. */
const MAX_CHUNKS_READ = 5000;
const MAX_CHUNKS_DELETED = 500;

export function createRedisHistoryChunks(
  connection: RedisConnection,
  scrub: HistoryChunks['scrub'],
): HistoryChunks {
  const keys = [`${PREFIX}:history:index`, `${PREFIX}:history:bytes`];
  const start = `${PREFIX}:history:of:`;
  const run = (script: string, ...values: readonly string[]) =>
    connection.eval(script, { keys, arguments: [start, ...values] });

  async function findChunks(
    script: string,
    kind: string,
    ...values: readonly string[]
  ): Promise<readonly Chunk[]> {
    const chunks = Found.parse(await run(script, kind, ...values));
    return chunks.map(([key, at, text]) => ({ kind, key, start: at, text }));
  }

  return {
    read: ({ kind, key }, from, to) => findChunks(READ, kind, key, String(from), String(to)),
    async readKind(kind, from, to) {
      const all: Chunk[] = [];
      for (let at = 0; ; at += MAX_CHUNKS_READ) {
        const part = await run(
          READ_KIND,
          kind,
          String(from),
          String(to),
          String(at),
          String(MAX_CHUNKS_READ),
        );
        const [looked, rows] = Part.parse(part);
        all.push(...rows.map(([key, start, text]) => ({ kind, key, start, text })));
        if (looked < MAX_CHUNKS_READ) return all;
      }
    },
    first: async ({ kind, key }) =>
      (await findChunks(READ, kind, key, '0', String(Number.MAX_SAFE_INTEGER), 'first'))[0] ?? null,
    async write(changes, unchanged = null) {
      const values = changes.flatMap(({ kind, key, start: at, text }) => [
        kind,
        String(at),
        key,
        text === null ? '' : `+${text}`,
      ]);
      const { collection, key, text } = unchanged ?? { collection: null, key: '', text: '' };
      const reply = await connection.eval(WRITE, {
        keys: collection === null ? keys : [...keys, hashOf(collection)],
        arguments: [start, key, text ?? '', ...values],
      });
      return reply === 1;
    },
    async prune(kind, endExclusive) {
      let at: number | null = 0;
      while (at !== null)
        at = Next.parse(await run(PRUNE, kind, String(endExclusive), String(at), String(MAX_CHUNKS_DELETED)));
    },
    async evict(maxBytes) {
      while ((await run(EVICT, String(maxBytes), String(MAX_CHUNKS_DELETED))) === 1);
    },
    scrub,
  };
}
