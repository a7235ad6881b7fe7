import { z } from 'zod';
import { faults, refusals } from '../../base/errors.ts';
import { json } from '../../base/json.ts';
import type { ScriptClient } from '../budget/ledger/redis.ts';
import { DatedBody } from '../call.ts';
import type { Claim, FlightLock, Outcome } from './cross-process.ts';

/**
 * A lock contains `<id> <priority>`; or, briefly, `<id> answered <outcome>` or `<id> failed <outcome>`.
 * ARGV: the id, the priority, milliseconds, the id that was waited for.
 */
const CLAIM = `
local held = redis.call('GET', KEYS[1])
if held then
  local id, state, outcome = string.match(held, '^(%S+) (%S+) ?(.*)$')
  if state == 'answered' or state == 'failed' then
    if state == 'answered' or id == ARGV[4] then return { 'over', outcome } end
  elseif id ~= ARGV[1] and not (state == 'background' and ARGV[2] == 'interactive') then
    return { 'theirs', id }
  end
end
redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. ARGV[2], 'PX', ARGV[3])
return { 'ours', '' }`;

/** ARGV: the expected value, milliseconds. */
const RENEW = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`;

/** ARGV: the expected value, the new value (or nothing), milliseconds. */
const RELEASE = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return end
if ARGV[2] == '' then redis.call('DEL', KEYS[1])
else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end`;

/** How long an outcome stays readable, in ms; waiting processes check several times a second. */
const OUTCOME_MS = 1000;

const Failure = z.object({
  fault: z.enum(faults),
  refusal: z.enum(refusals).nullable(),
  retryAt: z.number().nullable(),
});

const OutcomeJson = z.union([z.object({ answer: DatedBody }), z.object({ failure: Failure })]);

const Reply = z.union([
  z.tuple([z.literal('ours'), z.string()]).transform((): Claim => ({ state: 'ours' })),
  z.tuple([z.literal('theirs'), z.string()]).transform(([, holder]): Claim => ({ state: 'theirs', holder })),
  z
    .tuple([z.literal('over'), json(OutcomeJson)])
    .transform(([, outcome]): Claim => ({ state: 'over', outcome })),
]);

/** "Unknown name" counts as an answer and is shared with everyone. */
function isAnswer(outcome: Outcome): boolean {
  return 'answer' in outcome || outcome.failure.fault === 'not-found';
}

export function createRedisFlightLock(connection: Pick<ScriptClient, 'eval'>, prefix: string): FlightLock {
  const keysOf = (cacheKey: string) => [`${prefix}:asking:${cacheKey}`];
  return {
    async claim({ cacheKey, id, priority }, waitedFor, ms) {
      const values = [id, priority, String(ms), waitedFor ?? ''];
      return Reply.parse(await connection.eval(CLAIM, { keys: keysOf(cacheKey), arguments: values }));
    },
    async renew({ cacheKey, id, priority }, ms) {
      const values = [`${id} ${priority}`, String(ms)];
      return (await connection.eval(RENEW, { keys: keysOf(cacheKey), arguments: values })) === 1;
    },
    async release({ cacheKey, id, priority }, outcome) {
      const state = outcome !== null && isAnswer(outcome) ? 'answered' : 'failed';
      const next = outcome === null ? '' : `${id} ${state} ${JSON.stringify(outcome)}`;
      const values = [`${id} ${priority}`, next, String(OUTCOME_MS)];
      await connection.eval(RELEASE, { keys: keysOf(cacheKey), arguments: values });
    },
  };
}
