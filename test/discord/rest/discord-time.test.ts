/** How old an interaction is, whatever the clocks of this machine say. */
import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../../src/base/duration.ts';
import { createDiscordTime } from '../../../src/discord/rest/discord-time.ts';
import { VirtualTime } from '../../sim/virtual-time.ts';

const NOON = Date.UTC(2026, 2, 5, 12);

/** A machine whose wall clock is wrong by so much, and Discord, which has the right time. */
function machine(wrongBy = 0) {
  const time = new VirtualTime(NOON + wrongBy);
  const state = { asked: 0, isAway: false };
  const now = (): number => NOON + time.elapsed;
  const discordTime = createDiscordTime(time.clock, async () => {
    state.asked += 1;
    if (state.isAway) throw new Error('Discord does not answer');
    answer();
  });
  /** Discord answers a request; its header has no milliseconds. */
  function answer(): void {
    discordTime.noteDate(new Date(now()).toUTCString());
  }
  return {
    ...{ time, state, answer, now, clockSkew: discordTime.clockSkew, isClockRight: discordTime.isClockRight },
    /** How old an interaction of so many ms ago is said to be. */
    ageOf: (ago: number) => discordTime.ageOf(String(BigInt(now() - ago - Date.UTC(2015, 0)) << 22n)),
  };
}

test.for([0, -HOUR, 7 * MINUTE])(
  'by a clock that is wrong by %i ms it is as old as it is',
  async (wrongBy) => {
    const { answer, ageOf, time } = machine(wrongBy);
    for (let at = 0; at < 20; at += 1) {
      answer();
      await time.pass(370);
    }
    expect(await ageOf(2500)).toBeGreaterThan(2400);
    expect(await ageOf(2500)).toBeLessThanOrEqual(2500);
  },
);

test('it is never older than it is, and at most a second younger', async () => {
  for (let phase = 0; phase < 1000; phase += 90) {
    const { answer, ageOf, time } = machine();
    await time.pass(phase);
    answer();
    const age = await ageOf(3500);
    expect(age).toBeLessThanOrEqual(3500);
    expect(age).toBeGreaterThan(2500);
  }
});

test('asks Discord for its time after a clock was set or the machine slept', async () => {
  const { answer, ageOf, time, state } = machine();
  answer();
  expect([await ageOf(1000), state.asked]).toEqual([1000, 0]);
  time.stepWall(MINUTE);
  expect([await ageOf(1000), state.asked]).toEqual([1000, 1]);
  // By the monotonic clock no time has passed while it slept.
  time.stepWall(-MINUTE);
  state.isAway = true;
  expect(await ageOf(1000)).toBeNull();
});

test('a clock that is set is known to be wrong before Discord answers again', async () => {
  const { answer, clockSkew, time } = machine();
  expect(clockSkew()).toBeNull();
  answer();
  expect(clockSkew()).toBe(0);
  time.stepWall(24 * HOUR);
  expect(clockSkew()).toBe(24 * HOUR);
  await time.pass(MINUTE);
  time.stepWall(-24 * HOUR);
  expect(clockSkew()).toBe(0);
  const wrong = machine(-HOUR);
  wrong.answer();
  expect(wrong.clockSkew()).toBe(-HOUR);
});

test('a clock less than three hours away is right, and unknown before an answer', async () => {
  const { state, time, isClockRight } = machine();
  state.isAway = true;
  expect(await isClockRight()).toBeNull();
  state.isAway = false;
  expect(await isClockRight()).toBe(true);
  time.stepWall(4 * HOUR);
  expect(await isClockRight()).toBe(false);
  time.stepWall(-2 * HOUR);
  expect(await isClockRight()).toBe(true);
});

test('a machine whose clock drifts hears the time again at least once an hour', async () => {
  const { answer, ageOf, time, state } = machine();
  answer();
  await time.pass(61 * MINUTE);
  await ageOf(SECOND);
  expect(state.asked).toBe(1);
});

test('what an answer says as its time without one is no time', async () => {
  const time = new VirtualTime(NOON);
  const discordTime = createDiscordTime(time.clock, async () => {});
  for (const date of [null, '', 'soon']) discordTime.noteDate(date);
  expect(await discordTime.ageOf('1')).toBeNull();
});

describe('a clock that is wrong', () => {
  function watched(wrongBy: number) {
    const time = new VirtualTime(NOON + wrongBy);
    const skews: (number | null)[] = [];
    const discordTime = createDiscordTime(
      time.clock,
      async () => {},
      (skew) => skews.push(skew),
    );
    const hear = (offBy = 0): void =>
      discordTime.noteDate(new Date(NOON + time.elapsed + offBy).toUTCString());
    return { time, skews, hear, discordTime };
  }

  test.each([-10 * MINUTE, 31 * SECOND])('by %i ms is told once, after three answers', (wrongBy) => {
    const { skews, hear, discordTime } = watched(wrongBy);
    hear();
    hear();
    expect(skews).toEqual([]);
    for (let answer = 0; answer < 5; answer += 1) hear();
    expect(skews).toEqual([wrongBy]);
    expect(discordTime.clockSkew()).toBe(wrongBy);
  });

  test('is not told of for one answer that is wrong, nor for less than half a minute', () => {
    for (const wrongBy of [0, 29 * SECOND]) {
      const { skews, hear } = watched(wrongBy);
      for (let answer = 0; answer < 12; answer += 1) hear(answer % 6 === 5 ? -10 * MINUTE : 0);
      expect(skews).toEqual([]);
    }
  });

  test('is right again once it was set', () => {
    const { time, skews, hear } = watched(-10 * MINUTE);
    for (let answer = 0; answer < 5; answer += 1) hear();
    time.stepWall(10 * MINUTE);
    for (let answer = 0; answer < 3; answer += 1) hear();
    expect(skews).toEqual([-10 * MINUTE, null]);
  });
});
