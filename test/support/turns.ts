import { setImmediate } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { tellTime } from './tell-time.ts';

/**
 * Counts the turns of the event loop from now on, to the end of the test. Each look at the time takes 10 ms, so that
 * work in slices has one for each item.
 */
export function countTurns(): () => number {
  // A turn may have begun by the real time.
  let ms = performance.now();
  tellTime(() => (ms += 10));
  let [turns, isOver] = [0, false];
  const counting = (async () => {
    for (; !isOver; turns += 1) await setImmediate();
  })();
  onTestFinished(async () => {
    isOver = true;
    await counting;
  });
  return () => turns;
}
