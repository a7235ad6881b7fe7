import Keyv from 'keyv';
import { expect, test } from 'vitest';
import { createLoginPacing } from '../../src/discord/login-pacing.ts';

function setUp() {
  const clock = { at: 1_795_176_000_000, now: () => clock.at };
  return { clock, pacing: createLoginPacing(new Keyv(), clock) };
}

test('three logins are free; then the wait doubles from start to start, up to ten minutes', async () => {
  const { clock, pacing } = setUp();
  const waits: number[] = [];
  for (let start = 0; start < 13; start += 1) {
    const wait = await pacing.begin();
    waits.push(wait / 1000);
    // It crashes a second after its login.
    clock.at += wait + 1000;
  }
  expect(waits).toEqual([0, 0, 0, 4, 9, 19, 39, 79, 159, 319, 599, 599, 599]);
});

test('a login that has lasted makes the next ones free again', async () => {
  const { pacing } = setUp();
  for (let start = 0; start < 5; start += 1) await pacing.begin();
  await pacing.lasted();
  expect(await pacing.begin()).toBe(0);
});

test('a clock that was put back does not make it longer', async () => {
  const { clock, pacing } = setUp();
  for (let start = 0; start < 4; start += 1) await pacing.begin();
  clock.at -= 24 * 60 * 60_000;
  expect(await pacing.begin()).toBeLessThanOrEqual(10_000);
});

test('a login that never reached Discord does not count, and the failed ones before it still do', async () => {
  const { pacing } = setUp();
  for (let start = 0; start < 3; start += 1) await pacing.begin();
  const wait = await pacing.begin();
  expect(wait).toBeGreaterThan(0);
  await pacing.withdraw();
  expect(await pacing.begin()).toBe(wait);
});
