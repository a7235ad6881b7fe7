import { expect, test } from 'vitest';
import { forEachInSlices } from '../../src/base/for-each-yielding.ts';

/** Keeps the processor busy, in ms. */
function busy(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

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
      busy(4);
      done.push(index);
    },
  );
  isOver = true;
  // 80 ms of work; without slices there is not one turn.
  expect(turns).toBeGreaterThanOrEqual(5);
  expect(done).toEqual(done.toSorted((a, b) => a - b));
  expect(done).toHaveLength(20);
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
