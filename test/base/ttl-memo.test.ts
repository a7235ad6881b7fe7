import { expect, test } from 'vitest';
import { createTtlMemo } from '../../src/base/ttl-memo.ts';
import { createManualClock } from '../support/manual-clock.ts';

test('keeps an answer for its time, shares it while it comes, and reads a newer one', async () => {
  const clock = createManualClock();
  const lately = createTtlMemo<string, number>(clock, 1000, 2);
  let asked = 0;
  const ask = async () => ++asked;
  expect(await Promise.all([lately.of('a', ask), lately.of('a', ask)])).toEqual([1, 1]);
  clock.pass(999);
  expect(await lately.of('a', ask)).toBe(1);
  expect(await lately.of('a', ask, 998)).toBe(2);
  clock.pass(1000);
  expect(await lately.of('a', ask)).toBe(3);
  lately.delete('a');
  expect(await lately.of('a', ask)).toBe(4);
  // The memo holds two.
  await lately.of('b', ask);
  await lately.of('c', ask);
  expect(await lately.of('a', ask)).toBe(7);
});

test('a failure is not remembered, and takes no newer answer with it', async () => {
  const lately = createTtlMemo<string, number>(createManualClock(), 1000, 2);
  const failing = Promise.withResolvers<number>();
  const failed = lately.of('a', () => failing.promise);
  lately.delete('a');
  const newer = lately.of('a', async () => 1);
  failing.reject(new Error('away'));
  await expect(failed).rejects.toThrow('away');
  expect(await newer).toBe(1);
  expect(await lately.of('a', async () => 2)).toBe(1);
  await expect(lately.of('b', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await lately.of('b', async () => 3)).toBe(3);
});
