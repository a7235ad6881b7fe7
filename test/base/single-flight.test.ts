import { expect, test } from 'vitest';
import { createSingleFlight } from '../../src/base/single-flight.ts';

test('all who ask while the work is under way share its result', async () => {
  const asOne = createSingleFlight<number>();
  const answer = Promise.withResolvers<number>();
  let runs = 0;
  const ask = (): Promise<number> =>
    asOne('a', () => {
      runs += 1;
      return answer.promise;
    });
  const all = Promise.all([ask(), ask(), asOne('b', async () => 2)]);
  answer.resolve(1);
  expect(await all).toEqual([1, 1, 2]);
  expect(runs).toBe(1);
  await ask();
  expect(runs).toBe(2);
});

test('a failure is shared as well, and is not remembered', async () => {
  const asOne = createSingleFlight<number>();
  const why = new Error('away');
  const [one, other] = [asOne('a', () => Promise.reject(why)), asOne('a', async () => 1)];
  await expect(one).rejects.toBe(why);
  await expect(other).rejects.toBe(why);
  expect(await asOne('a', async () => 1)).toBe(1);
});
