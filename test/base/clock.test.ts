import { setImmediate as settled } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { abortAfter, resolveWithin, sleep, systemClock } from '../../src/base/clock.ts';
import { countTimers, createManualClock } from '../support/manual-clock.ts';

describe('sleep', () => {
  test('ends after its time', async () => {
    const clock = createManualClock();
    let isOver = false;
    const sleeping = sleep(clock, 1000).then(() => {
      isOver = true;
    });
    clock.pass(999);
    await settled();
    expect(isOver).toBe(false);
    clock.pass(1);
    await sleeping;
  });

  test('ends at once, and leaves no timer, where it is aborted', async () => {
    const { clock, timers } = countTimers(createManualClock());
    const abort = new AbortController();
    const sleeping = sleep(clock, 1000, abort.signal);
    const why = new Error('no longer needed');
    abort.abort(why);
    await expect(sleeping).rejects.toBe(why);
    await expect(sleep(clock, 1000, abort.signal)).rejects.toBe(why);
    expect(timers()).toBe(0);
  });

  test('that is over is not aborted any more', async () => {
    const clock = createManualClock();
    const abort = new AbortController();
    const sleeping = sleep(clock, 1000, abort.signal);
    clock.pass(1000);
    abort.abort();
    await expect(sleeping).resolves.toBeUndefined();
  });
});

test('the system’s clock counts in milliseconds, and a cancelled timer does not run', async () => {
  const begun = systemClock.monotonic();
  let ran = false;
  const cancel = systemClock.after(1, () => {
    ran = true;
  });
  cancel();
  await sleep(systemClock, 30);
  expect(ran).toBe(false);
  expect(systemClock.monotonic() - begun).toBeGreaterThan(25);
  expect(systemClock.monotonic() - begun).toBeLessThan(30_000);
  expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(30_000);
});

test('work is waited for no longer than it may take', async () => {
  const manual = createManualClock();
  const { clock, timers } = countTimers(manual);
  const work = Promise.withResolvers<string>();
  const late = resolveWithin(work.promise, 1000, clock);
  manual.pass(1000);
  expect(await late).toBeNull();
  work.resolve('done');
  expect(await resolveWithin(work.promise, 1000, clock)).toBe('done');
  expect(timers()).toBe(0);
});

test('work that takes too long is aborted, and work that has ended is not', async () => {
  const manual = createManualClock();
  const { clock, timers } = countTimers(manual);
  const signals: AbortSignal[] = [];
  const work = Promise.withResolvers<string>();
  const run = () =>
    abortAfter(
      1000,
      (signal) => {
        signals.push(signal);
        return work.promise;
      },
      { clock },
    );
  const late = run();
  manual.pass(1000);
  const inTime = run();
  work.resolve('done');
  expect(await Promise.all([late, inTime])).toEqual(['done', 'done']);
  expect(timers()).toBe(0);
  manual.pass(1000);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
});

test('work within other work is aborted with it, for its reason', async () => {
  const [outer, over] = [new AbortController(), new AbortController()];
  over.abort(new Error('over'));
  const reasonIn = (signal: AbortSignal) =>
    abortAfter(
      1000,
      (inner) =>
        inner.aborted
          ? Promise.resolve(inner.reason)
          : new Promise((resolve) => inner.addEventListener('abort', () => resolve(inner.reason))),
      { outer: signal, clock: createManualClock() },
    );
  const reason = reasonIn(outer.signal);
  outer.abort(new Error('too late'));
  expect(await reason).toMatchObject({ message: 'too late' });
  expect(await reasonIn(over.signal)).toMatchObject({ message: 'over' });
});
