/**
 * Scripts that run inside Redis or Valkey. Lua numbers are doubles and lose digits as text unless formatted; times
 * are whole milliseconds.
 */

/**
 * The keys of one ledger, in the order in which the scripts take them. They share one slot, so that a cluster keeps
 * them together.
 */
export function keysOf(name: string): string[] {
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
 * The time, the estimate, and the totals of the permits.
 * If the server's clock is set back, the ledger's time stops and continues from there.
 * ARGV: window and margin in milliseconds, and the window of a ledger that has no estimate yet.
 */
export const READ = `
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
local function release(at) return at and text(at + span) or '' end

local uncounted = above(answered, bound_permit) + above(open, bound_taken)
local own = tonumber(redis.call('ZSCORE', answered, text(bound_permit)) or 0)
if own > bound_permit then uncounted = uncounted - 1 end

local first_interactive, first_background = first(interactive), first(background)
local first_of_all = first_interactive
if first_background and (not first_of_all or first_background < first_of_all) then first_of_all = first_background end
local last_background = redis.call('ZREVRANGE', background_taken, 0, 0, 'WITHSCORES')[2]
local edge = math.max(since, now - span)

return {
  stored[1] or '', stored[2] or '', text(now),
  above(interactive, now - span), above(background, now - span),
  above(interactive_taken, now - window), above(interactive_taken, now - window / 4),
  uncounted, above(open, now), above(interactive, edge) + above(background, edge),
  release(first_of_all), release(first_background), last_background and text(tonumber(last_background)) or '',
}`;

/**
 * Writes one change, unless another process has written since it was decided.
 * ARGV: the token that was read, the next one, the time, the estimate, the first moment still in force, and the
 * change as JSON. Returns 1, or 0 where the token differs.
 */
export const WRITE = `
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
