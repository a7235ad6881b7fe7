import { setImmediate as settled } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { sleep, within } from '../../src/base/clock.ts';
import { createManualClock } from '../support/manual-clock.ts';

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
    const clock = createManualClock();
    const abort = new AbortController();
    let timers = 0;
    const counted = {
      after(ms: number, callback: () => void) {
        timers += 1;
        const cancel = clock.after(ms, callback);
        return () => {
          timers -= 1;
          cancel();
        };
      },
    };
    const sleeping = sleep(counted, 1000, abort.signal);
    const why = new Error('no longer needed');
    abort.abort(why);
    await expect(sleeping).rejects.toBe(why);
    await expect(sleep(counted, 1000, abort.signal)).rejects.toBe(why);
    expect(timers).toBe(0);
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

test('work is waited for no longer than it may take', async () => {
  const clock = createManualClock();
  const work = Promise.withResolvers<string>();
  const late = within(work.promise, 1000, clock);
  clock.pass(1000);
  expect(await late).toBeNull();
  work.resolve('done');
  expect(await within(work.promise, 1000, clock)).toBe('done');
});
