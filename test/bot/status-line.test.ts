import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../src/base/errors.ts';
import { createStatusLine, showDrivers } from '../../src/bot/status-line.ts';
import type { Answer } from '../../src/service/models/dated.ts';
import { createPoll } from '../../src/service/poll/poll.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { liveJson, serviceOf } from '../support/records.ts';
import { createTranslators } from '../support/translators.ts';

/** A status line on a clock that the test holds, and what it showed and when. */
function setUp() {
  const shown: { readonly at: number; readonly text: string }[] = [];
  let now = 0;
  const show = createStatusLine((text) => shown.push({ at: now, text }), { monotonic: () => now });
  return {
    shown,
    at(time: number, text: string): void {
      now = time;
      show(text);
    },
  };
}

test('the first text is shown at once, the next after a minute, and then the newest', () => {
  const { shown, at } = setUp();
  at(0, '1 driving');
  at(20_000, '2 driving');
  at(59_999, '3 driving');
  at(60_000, '4 driving');
  expect(shown).toEqual([
    { at: 0, text: '1 driving' },
    { at: 60_000, text: '4 driving' },
  ]);
});

test('what is shown already is not shown again, and holds nothing back', () => {
  const { shown, at } = setUp();
  at(0, '1 driving');
  at(120_000, '1 driving');
  at(120_001, '2 driving');
  expect(shown.map(({ at: time }) => time)).toEqual([0, 120_001]);
});

test('changes at most once a minute, and shows the last text in the end', () => {
  const feed = fc.array(fc.tuple(fc.nat(90_000), fc.constantFrom('a', 'b', 'c')), { minLength: 1 });
  fc.assert(
    fc.property(feed, (steps) => {
      const { shown, at } = setUp();
      let time = 0;
      for (const [pause, text] of steps) {
        time += pause;
        at(time, text);
      }
      const last = steps.at(-1)?.[1] ?? '';
      at(time + 60_000, last);
      expect(shown.at(-1)?.text).toBe(last);
      for (const [index, { at: then }] of shown.slice(1).entries())
        expect(then - (shown[index]?.at ?? 0)).toBeGreaterThanOrEqual(60_000);
    }),
  );
});

describe('the line below the name', () => {
  test.for<[Pick<Answer<unknown>, 'asOf' | 'stale'>, string]>([
    [{ asOf: 0, stale: null }, '9 driving'],
    [{ asOf: -60_000, stale: null }, '7 driving, 40 slots'],
    [{ asOf: -60_000, stale: 'unavailable' }, '7 driving, 40 slots'],
    [{ asOf: -1000, stale: 'slow' }, '9 driving'],
  ])('counts a server that the overview leaves out only while its file runs: %j', async ([age, line]) => {
    const clock = createManualClock();
    const service = serviceOf(
      ({ endpoint, asked }) => {
        if (endpoint === 'overview') return { two: { online: true, guests: 7, maxGuests: 40 } };
        if (JSON.stringify(asked) === '{"server":"one"}') return liveJson({ 1: {}, 2: {} });
        throw new ServiceError('unavailable', { endpoint, sent: 'yes' });
      },
      ({ endpoint }) => (endpoint === 'live' ? age : { asOf: clock.now(), stale: null }),
    );
    const shown: string[] = [];
    const poll = createPoll({ service, clock, failed: (error) => expect.unreachable(String(error)) });
    const calls = { faultOf: () => null };
    const end = showDrivers((text) => void shown.push(text), {
      poll,
      calls,
      service,
      clock,
      t: createTranslators()('en-GB'),
    });
    await clock.timer(1);
    clock.pass(1);
    await expect.poll(() => shown).toEqual([line]);
    end();
  });
});
