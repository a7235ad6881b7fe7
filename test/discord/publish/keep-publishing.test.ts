import { setImmediate as settled } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { createLog } from '../../../src/base/log.ts';
import { keepPublishing } from '../../../src/discord/publish/publish.ts';

type Published = Awaited<ReturnType<Parameters<typeof keepPublishing>[0]>>;

/** A clock whose pauses end when the test says so. */
function setUp(publish: () => Promise<Published>) {
  const pauses: number[] = [];
  const failures: unknown[] = [];
  let next: (() => void) | null = null;
  const clock: Clock = {
    ...systemClock,
    after(ms, callback) {
      pauses.push(ms);
      next = callback;
      return () => {
        next = null;
      };
    },
  };
  const resources = new AsyncDisposableStack();
  const log = createLog({ level: 'silent', secrets: [] });
  void keepPublishing(publish, { clock, log, resources }).then((why) => failures.push(why));
  return {
    pauses,
    failures,
    end: () => resources.disposeAsync(),
    async passes() {
      await settled();
      next?.();
      await settled();
    },
  };
}

describe('publishing the commands', () => {
  test('is tried again after pauses that double up to an hour', async () => {
    let tries = 0;
    const { pauses, failures, passes } = setUp(async () => {
      tries += 1;
      return tries === 14 ? 'published' : 'later';
    });
    for (let pause = 0; pause < 13; pause += 1) await passes();
    expect(pauses.map((ms) => ms / 1000)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3600]);
    expect(tries).toBe(14);
    expect(failures).toEqual([]);
  });

  test('ends with what only the owner can fix', async () => {
    const error = new Error('not in that server');
    const { pauses, failures, passes } = setUp(() => Promise.reject(error));
    await passes();
    expect(failures).toEqual([error]);
    expect(pauses).toEqual([]);
  });

  test('is not tried again once the bot stops, be it in a pause or under way', async () => {
    let tries = 0;
    const answer = Promise.withResolvers<Published>();
    const { pauses, passes, end } = setUp(() => {
      tries += 1;
      return tries === 1 ? Promise.resolve('later') : answer.promise;
    });
    await passes();
    expect(tries).toBe(2);
    await end();
    answer.resolve('later');
    await passes();
    expect(pauses).toEqual([1000]);
    expect(tries).toBe(2);
  });
});
