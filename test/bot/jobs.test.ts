import { setImmediate as settled } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../src/base/errors.ts';
import { keepPublishing, showPresence } from '../../src/bot/jobs.ts';
import { createTranslators } from '../../src/i18n/translator.ts';
import type { Service } from '../../src/service/client.ts';
import type { Answer } from '../../src/service/models/answer.ts';
import { createPoll } from '../../src/service/poll/poll.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { liveJson } from '../support/records.ts';

/** A clock whose pauses end when the test says so. */
function setUp(publish: () => Promise<boolean>) {
  const pauses: number[] = [];
  const failures: unknown[] = [];
  let next: (() => void) | null = null;
  const end = keepPublishing(publish, {
    clock: {
      after(ms, callback) {
        pauses.push(ms);
        next = callback;
        return () => {
          next = null;
        };
      },
    },
    failed: (error) => failures.push(error),
  });
  return {
    ...{ pauses, failures, end },
    async passes() {
      await settled();
      next?.();
      await settled();
    },
  };
}

describe('publishing the commands', () => {
  test('is tried again after pauses that double up to an hour, until Discord accepts them', async () => {
    let tries = 0;
    const { pauses, failures, passes } = setUp(async () => {
      tries += 1;
      return tries === 14;
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
    const answer = Promise.withResolvers<boolean>();
    const { pauses, passes, end } = setUp(() => {
      tries += 1;
      return tries === 1 ? Promise.resolve(false) : answer.promise;
    });
    await passes();
    expect(tries).toBe(2);
    await end();
    answer.resolve(false);
    await passes();
    expect(pauses).toEqual([1000]);
    expect(tries).toBe(2);
  });
});

describe('the line below the name', () => {
  test.for<[Pick<Answer<unknown>, 'asOf' | 'stale'>, string]>([
    [{ asOf: 0, stale: null }, '9 driving'],
    [{ asOf: -60_000, stale: null }, '7 of 40 driving'],
    [{ asOf: -60_000, stale: 'unavailable' }, '7 of 40 driving'],
    [{ asOf: -1000, stale: 'slow' }, '9 driving'],
  ])('counts a server that the overview leaves out only while its file runs: %j', async ([age, line]) => {
    const clock = createManualClock();
    const bodies: Readonly<Record<string, unknown>> = {
      overview: { two: { online: true, guests: 7, maxGuests: 40 } },
      live: liveJson({ 1: {}, 2: {} }),
    };
    const service: Service = {
      async get(endpoint, asked) {
        const isElsewhere = endpoint.name === 'live' && JSON.stringify(asked) !== '{"server":"one"}';
        if (isElsewhere) throw new ServiceError('unavailable', { endpoint: 'live', sent: 'yes' });
        const record = endpoint.response.parse(bodies[endpoint.name]);
        return endpoint.name === 'live' ? { record, ...age } : { record, asOf: clock.now(), stale: null };
      },
    };
    const shown: string[] = [];
    const end = showPresence(
      { show: (text) => shown.push(text) },
      {
        poll: createPoll({ service, clock, failed: (error) => expect.unreachable(String(error)) }),
        calls: { faultOf: () => null },
        ...{ service, clock, t: createTranslators()('en-GB') },
      },
    );
    await clock.timer(1);
    clock.pass(1);
    await expect.poll(() => shown).toEqual([line]);
    await end();
  });
});
