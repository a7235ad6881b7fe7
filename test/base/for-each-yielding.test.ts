import { expect, onTestFinished, test, vi } from 'vitest';
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

test('work that is begun and not awaited counts to its slice', async () => {
  let [ms, turnStart, longest, isOver] = [0, 0, 0, false];
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => ms);
  onTestFinished(() => clock.mockRestore());
  const turn = (): void => {
    longest = Math.max(longest, ms - turnStart);
    turnStart = ms;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  async function work(): Promise<void> {
    for (let step = 0; step < 10; step += 1) {
      await null;
      ms += 1;
    }
  }
  await forEachInSlices(Array(100), async () => void work());
  isOver = true;
  expect(longest).toBeLessThanOrEqual(10);
  expect(ms).toBe(1000);
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
