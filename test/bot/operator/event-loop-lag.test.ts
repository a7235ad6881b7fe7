import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { watchEventLoopLag } from '../../../src/bot/operator/operator.ts';

test('an event loop that stands still is noticed once it continues', async () => {
  const lag = watchEventLoopLag(systemClock);
  await pause(100);
  // Blocks this thread.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
  await expect.poll(() => lag.longest()).toBeGreaterThan(250);
  lag.stop();
});
