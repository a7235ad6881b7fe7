import { expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../../src/base/duration.ts';
import { createLog } from '../../../src/base/log.ts';
import { createGateway } from '../../../src/discord/gateway/gateway.ts';
import { createManualClock } from '../../support/manual-clock.ts';

function started() {
  const clock = createManualClock();
  const limit = { total: 1000, remaining: 990, reset_after: HOUR, max_concurrency: 1 };
  const state = { asked: 0, isAway: false, shards: 3 };
  const get = async () => {
    state.asked += 1;
    if (state.isAway) throw new Error('away');
    return { url: 'wss://gateway', shards: state.shards, session_start_limit: limit };
  };
  const log = createLog({ level: 'silent', secrets: [] });
  return { clock, state, limit, ...createGateway({ get }, { clock, log }) };
}

test('Discord is asked once a minute, however many shards connect at once', async () => {
  const { clock, state, answer, info } = started();
  await Promise.all([answer(), answer(), info()]);
  clock.pass(MINUTE - 1);
  await answer();
  expect(state.asked).toBe(1);
  clock.pass(1);
  state.shards = 4;
  expect([(await info()).shards, state.asked]).toEqual([4, 2]);
});

test("reconnects shards by Discord's last answer if Discord cannot be asked", async () => {
  const { clock, state, answer, info } = started();
  await answer();
  state.isAway = true;
  clock.pass(10 * MINUTE);
  expect(await answer()).toMatchObject({ url: 'wss://gateway' });
  expect(await info()).toEqual({
    ...{ shards: 3, concurrency: 1, remaining: 990, resetIn: HOUR - 10 * MINUTE },
    crashPauseMs: 0,
  });
  clock.pass(2 * HOUR);
  expect((await info()).resetIn).toBe(0);
});

test('starts after crashes are spaced until the reset once few logins are left', async () => {
  const pauseAt = async (remaining: number): Promise<number> => {
    const { limit, info } = started();
    limit.remaining = remaining;
    return (await info()).crashPauseMs;
  };
  expect(await pauseAt(200)).toBe(0);
  // Three shards log in at each start, and twenty logins are never spent.
  expect(await pauseAt(170)).toBe(HOUR / 50);
  expect(await pauseAt(23)).toBe(HOUR);
  expect(await pauseAt(0)).toBe(HOUR);
});
