import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { jsonText } from '../../../base/json.ts';
import { blankEstimate, CLIENT_KEY, QuotaEstimate } from '../estimate.ts';
import { type Change, type LedgerSnapshot, type LedgerStore, MARGIN_MS } from './ledger-store.ts';

/**
 * The command of a Redis or Valkey client that the store uses; node-redis has it. It must reject at once while disconnected
 * (`disableOfflineQueue`), and soon when there is no answer (`commandOptions: { timeout: 500 }`).
 */
export interface ScriptClient {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** A transaction is retried when another process wrote first; this many conflicts in a row are no coincidence. */
const MAX_ATTEMPTS = 50;

/**
 * The keys of one ledger, in the order in which the scripts take them. They share one slot, so that a cluster keeps
 * them together.
 */
function keysOf(name: string): string[] {
  const parts = [
    'state',
    'interactive',
    'background',
    'interactive-taken',
    'background-taken',
    'answered',
    'open',
  ];
  return parts.map((part) => `{${name}}:${part}`);
}

/**
 * The time, the estimate, and the totals of the permits, as JSON. Lua numbers are doubles and lose digits as text unless
 * formatted; in JSON they keep 14, and times in whole milliseconds have 13.
 * If the server's clock is set back, the ledger's time stops and continues from there.
 * ARGV: window and margin in milliseconds, and the window of a ledger that has no estimate yet.
 */
const READ = `
local state, interactive, background, interactive_taken, background_taken, answered, open = unpack(KEYS)
local function text(number) return string.format('%.0f', number) end

local clock = redis.call('TIME')
local wall = clock[1] * 1000 + math.floor(clock[2] / 1000)
local stored = redis.call('HMGET', state, 'token', 'standing', 'last', 'offset')
local last = tonumber(stored[3] or 0)
local now = wall + tonumber(stored[4] or 0)
if now < last then
  now = last
  redis.call('HSET', state, 'offset', text(last - wall))
end

local window, bound_permit, bound_taken, since = tonumber(ARGV[1]), 0, 0, 0
local readable, estimate = pcall(cjson.decode, stored[2] or '')
if readable and type(estimate) == 'table' and type(estimate.limit) == 'table' then
  window = tonumber(estimate.limit.windowMs) or window
  local bound = estimate.bound
  if type(bound) == 'table' and bound['until'] > now then
    bound_permit, bound_taken = bound.permit, bound.takenAt
    since = tonumber(bound.since) or 0
  end
end
local span = window + tonumber(ARGV[2])

local function above(key, score) return redis.call('ZCOUNT', key, '(' .. text(score), '+inf') end
local function first(key)
  return tonumber(redis.call('ZRANGEBYSCORE', key, '(' .. text(now - span), '+inf', 'WITHSCORES', 'LIMIT', 0, 1)[2])
end
local function release(at) return at and at + span end

local uncounted = above(answered, bound_permit) + above(open, bound_taken)
local own = tonumber(redis.call('ZSCORE', answered, text(bound_permit)) or 0)
if own > bound_permit then uncounted = uncounted - 1 end

local first_interactive, first_background = first(interactive), first(background)
local first_of_all = first_interactive
if first_background and (not first_of_all or first_background < first_of_all) then first_of_all = first_background end
local last_background = redis.call('ZREVRANGE', background_taken, 0, 0, 'WITHSCORES')[2]
local edge = math.max(since, now - span)

return cjson.encode({
  token = stored[1] or '', estimate = stored[2] or '', now = now,
  counts = {
    interactive = above(interactive, now - span),
    background = above(background, now - span),
    interactiveLately = above(interactive_taken, now - window),
    interactiveQuarter = above(interactive_taken, now - window / 4),
    uncounted = uncounted,
    inFlight = above(open, now),
    sinceReset = above(interactive, edge) + above(background, edge),
    nextRelease = release(first_of_all),
    nextBackgroundRelease = release(first_background),
    lastBackgroundAt = last_background and tonumber(last_background),
  },
})`;

/**
 * Writes one change, unless another process has written since it was decided.
 * ARGV: the token that was read, the next one, the time, the estimate, the first moment still in force, and the
 * change as JSON. Returns 1, or 0 where the token differs.
 */
const WRITE = `
local state, interactive, background, interactive_taken, background_taken, answered, open = unpack(KEYS)
if (redis.call('HGET', state, 'token') or '') ~= ARGV[1] then return 0 end
redis.call('HSET', state, 'token', ARGV[2], 'last', ARGV[3], 'standing', ARGV[4])

local function text(number) return string.format('%.0f', number) end
local counted = { interactive = interactive, background = background }
local taken = { interactive = interactive_taken, background = background_taken }
local change = cjson.decode(ARGV[6])

for _, key in pairs(counted) do
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', key, '-inf', ARGV[5])) do
    redis.call('ZREM', interactive_taken, id)
    redis.call('ZREM', background_taken, id)
    redis.call('ZREM', answered, id)
    redis.call('ZREM', open, id)
  end
  redis.call('ZREMRANGEBYSCORE', key, '-inf', ARGV[5])
end

if change.enter then
  local permit, id = change.enter.permit, text(change.enter.permit.id)
  redis.call('ZADD', counted[permit.kind], text(change.enter.flightEnd), id)
  redis.call('ZADD', taken[permit.kind], text(permit.takenAt), id)
  redis.call('ZADD', open, text(change.enter.flightEnd), id)
end
if change.answer then
  local permit, id = change.answer.permit, text(change.answer.permit.id)
  redis.call('ZADD', counted[permit.kind], text(change.answer.at), id)
  redis.call('ZADD', taken[permit.kind], text(permit.takenAt), id)
  redis.call('ZADD', answered, text(change.answer.seq), id)
  redis.call('ZREM', open, id)
end
if change.remove then
  local id = text(change.remove.id)
  for _, key in ipairs({ interactive, background, interactive_taken, background_taken, answered, open }) do
    redis.call('ZREM', key, id)
  end
end
return 1`;

const count = z.number();
/** Lua leaves out what is nil. */
const time = z.number().nullable().default(null);
/** The result of `READ`. */
const Reply = jsonText(
  z.object({
    token: z.string(),
    estimate: z.string(),
    now: z.number(),
    counts: z.object({
      interactive: count,
      background: count,
      interactiveLately: count,
      interactiveQuarter: count,
      uncounted: count,
      inFlight: count,
      sinceReset: count,
      nextRelease: time,
      nextBackgroundRelease: time,
      lastBackgroundAt: time,
    }),
  }),
).transform(({ token, estimate: stored, now, counts }) => {
  const estimate = jsonText(QuotaEstimate).safeParse(stored).data ?? blankEstimate(now);
  return { token, snapshot: { now, estimate, counts } };
});

/**
 * Permits in Redis or Valkey, shared by all processes that use the same `name`, on the server's clock. A
 * transaction reads in one script, decides here, and writes in another, which does nothing if anything was written
 * in between.
 */
export function openRedisLedgerStore(client: ScriptClient, name: string): LedgerStore {
  const keys = keysOf(name);

  async function writeChange(token: string, { now }: LedgerSnapshot, change: Change): Promise<boolean> {
    const { estimate, ...entries } = change;
    const firstInForce = now - estimate.limit.windowMs - MARGIN_MS;
    const values = [
      token,
      randomUUID(),
      String(now),
      JSON.stringify(estimate),
      String(firstInForce),
      JSON.stringify(entries),
    ];
    return (await client.eval(WRITE, { keys, arguments: values })) === 1;
  }

  return {
    transaction: async (decide) => {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const values = [String(CLIENT_KEY.windowMs), String(MARGIN_MS)];
        const { token, snapshot } = Reply.parse(await client.eval(READ, { keys, arguments: values }));
        const { change, result } = decide(snapshot);
        if (change === null || (await writeChange(token, snapshot, change))) return result;
      }
      throw new Error('too many processes write the ledger at once');
    },
    // The connection is the store's.
    close: async () => {},
  };
}
