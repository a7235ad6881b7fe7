import { expect, test } from 'vitest';
import { createTtlMemo } from '../../src/base/ttl-memo.ts';
import { createManualClock } from '../support/manual-clock.ts';

test('keeps an answer for its time, shares it while it comes, and reads a newer one', async () => {
  const clock = createManualClock();
  const memo = createTtlMemo<string, number>(clock, 1000, 2);
  let asked = 0;
  const ask = async () => ++asked;
  expect(await Promise.all([memo.get('a', ask), memo.get('a', ask)])).toEqual([1, 1]);
  clock.pass(999);
  expect(await memo.get('a', ask)).toBe(1);
  expect(await memo.get('a', ask, 998)).toBe(2);
  clock.pass(1000);
  expect(await memo.get('a', ask)).toBe(3);
  memo.delete('a');
  expect(await memo.get('a', ask)).toBe(4);
  // The memo holds two.
  await memo.get('b', ask);
  await memo.get('c', ask);
  expect(await memo.get('a', ask)).toBe(7);
});

test('a failure is not remembered, and takes no newer answer with it', async () => {
  const memo = createTtlMemo<string, number>(createManualClock(), 1000, 2);
  const failing = Promise.withResolvers<number>();
  const failed = memo.get('a', () => failing.promise);
  memo.delete('a');
  const newer = memo.get('a', async () => 1);
  failing.reject(new Error('away'));
  await expect(failed).rejects.toThrow('away');
  expect(await newer).toBe(1);
  expect(await memo.get('a', async () => 2)).toBe(1);
  await expect(memo.get('b', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await memo.get('b', async () => 3)).toBe(3);
});
