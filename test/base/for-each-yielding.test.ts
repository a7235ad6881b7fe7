import { expect, test } from 'vitest';
import { forEachInSlices } from '../../src/base/for-each-yielding.ts';
import { keepBusy } from '../support/keep-busy.ts';
import { tellTime } from '../support/tell-time.ts';

test('long work over many items lets others have their turn, and keeps the order', async () => {
  let [turns, isOver] = [0, false];
  const turn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const done: number[] = [];
  await forEachInSlices(
    Array.from({ length: 20 }, (_, index) => index),
    (index) => {
      keepBusy(4);
      done.push(index);
    },
  );
  isOver = true;
  // 80 ms of work; without slices there is not one turn.
  expect(turns).toBeGreaterThanOrEqual(5);
  expect(done).toEqual(done.toSorted((a, b) => a - b));
  expect(done).toHaveLength(20);
});

/** Runs the work on a clock that only it moves on, in ms. Resolves with the longest turn of the event loop, and the time of all. */
async function measure(
  work: (pass: () => void) => Promise<unknown>,
): Promise<{ longest: number; all: number }> {
  // A whole number, so that sums of milliseconds are exact.
  const start = Math.round(performance.now());
  let [ms, turnStart, longest, isOver] = [start, start, 0, false];
  tellTime(() => ms);
  const turn = (): void => {
    longest = Math.max(longest, ms - turnStart);
    turnStart = ms;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work(() => {
    ms += 1;
  });
  isOver = true;
  return { longest, all: Math.round(ms - start) };
}

test('work that is begun and not awaited counts to its slice', async () => {
  const { longest, all } = await measure((pass) => {
    async function work(): Promise<void> {
      for (let step = 0; step < 10; step += 1) {
        await null;
        pass();
      }
    }
    return forEachInSlices(Array(100), async () => void work());
  });
  expect(longest).toBeLessThanOrEqual(10);
  expect(all).toBe(1000);
});

test('a hundred callers at once share the time of a turn', async () => {
  const order: number[] = [];
  const { longest, all } = await measure((pass) => {
    const work = (caller: number) => (): void => {
      pass();
      order.push(caller);
    };
    return Promise.all(Array.from({ length: 100 }, (_, caller) => forEachInSlices(Array(20), work(caller))));
  });
  expect(longest).toBeLessThanOrEqual(6);
  expect(all).toBe(2000);
  // In turns: the last caller is not kept waiting until the first one is done.
  expect(order.indexOf(99)).toBeLessThan(order.lastIndexOf(0));
});

test('a failure ends it', async () => {
  const done: number[] = [];
  const work = forEachInSlices([1, 2, 3], async (item) => {
    if (item === 2) throw new Error('no');
    done.push(item);
  });
  await expect(work).rejects.toThrow('no');
  expect(done).toEqual([1]);
});
