import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { createMetrics } from '../../../src/bot/operator/metrics.ts';
import { watchEventLoop } from '../../../src/bot/operator/operator.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { processSample } from './samples.ts';

test('an event loop that stands still is noticed once it continues', async () => {
  const loop = watchEventLoop(systemClock, () => {});
  await pause(100);
  // Blocks this thread.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
  await expect.poll(() => loop.longestDelay()).toBeGreaterThan(250);
  loop.stop();
});

test('a delay lasts if two spans of ten seconds have it, and not after a start', async () => {
  const clock = createManualClock();
  const loop = watchEventLoop(clock, () => {});
  const block = async (): Promise<void> => {
    await pause(100);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
    await pause(100);
  };
  await block();
  expect([loop.longestDelay() > 250, loop.lastingDelay() > 250]).toEqual([true, false]);
  clock.pass(10_000);
  await new Promise(setImmediate);
  expect([loop.longestDelay() > 250, loop.lastingDelay() > 250]).toEqual([true, false]);
  await block();
  expect(loop.lastingDelay()).toBeGreaterThan(250);
  loop.stop();
});

test('counts delays by length every ten seconds, and begins again with none', async () => {
  const clock = createManualClock();
  const metrics = createMetrics();
  const loop = watchEventLoop(clock, metrics.delayed);
  await pause(1000);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
  await expect.poll(() => loop.longestDelay()).toBeGreaterThan(250);
  await pause(100);
  clock.pass(10_000);
  const counts = await countsOf(metrics);
  expect(counts('count')).toBeGreaterThan(5);
  expect(counts('bucket{le="0.25"}')).toBeGreaterThan(0);
  expect(counts('bucket{le="0.25"}')).toBeLessThan(counts('count'));
  // At once, so that there is hardly anything to count.
  await new Promise(setImmediate);
  clock.pass(10_000);
  expect((await countsOf(metrics))('count')).toBeLessThan(counts('count') + 5);
  loop.stop();
});

test('each delay counts as the bound that it does not exceed', async () => {
  const metrics = createMetrics();
  const delays = [0, 1, 20, 21, 300, 1500, 4000];
  const atMost = (ms: number): number => delays.filter((delay) => delay <= ms).length;
  metrics.delayed({ count: delays.length, longestMs: 4000, atMost });
  const counts = await countsOf(metrics);
  expect(counts('bucket{le="0.005"}')).toBe(2);
  expect(counts('bucket{le="0.02"}')).toBe(3);
  expect(counts('bucket{le="0.05"}')).toBe(4);
  expect(counts('bucket{le="1"}')).toBe(5);
  expect(counts('bucket{le="+Inf"}')).toBe(7);
  expect(counts('count')).toBe(7);
});

async function countsOf(metrics: ReturnType<typeof createMetrics>): Promise<(series: string) => number> {
  const lines = (await metrics.text(null, processSample)).split('\n');
  return (series) => {
    const start = `pitwall_event_loop_delay_seconds_${series} `;
    return Number(lines.find((line) => line.startsWith(start))?.slice(start.length));
  };
}
