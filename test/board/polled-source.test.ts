import { setImmediate as settled } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPolledSource } from '../../src/board/poll/polled-source.ts';
import type { Answer } from '../../src/service/models/answer.ts';
import { createManualClock } from '../support/manual-clock.ts';

const SECOND = 1000;

/** Drivers on a server, poll by poll; `stale`: kept from the poll before, since this one failed. */
interface Polled {
  readonly drivers: number;
  readonly stale?: true;
}

/** What is believed after each poll. */
async function believed(polls: readonly Polled[]): Promise<readonly (number | undefined)[]> {
  const clock = createManualClock();
  let asked = 0;
  const source = createPolledSource<number>({
    clock,
    async ask(): Promise<Answer<number>> {
      const { drivers = 0, stale } = polls[asked] ?? {};
      asked += 1;
      return stale === true
        ? { record: drivers, asOf: clock.now() - SECOND, stale: 'unavailable' }
        : { record: drivers, asOf: clock.now(), stale: null };
    },
    pace: () => SECOND,
    isEmpty: (drivers) => drivers === 0,
    doubtFirst: false,
    changed: () => {},
    failed: (error) => expect.unreachable(String(error)),
  });
  source.start();
  const after: (number | undefined)[] = [];
  for (const _ of polls) {
    clock.pass(SECOND);
    await settled();
    after.push(source.known?.record);
  }
  source.stop();
  return after;
}

test('an empty answer is not confirmed by itself, kept while the service fails', async () => {
  expect(await believed([{ drivers: 5 }, { drivers: 0 }, { drivers: 0 }])).toEqual([5, 5, 0]);
  const failing = { drivers: 0, stale: true } as const;
  expect(await believed([{ drivers: 5 }, { drivers: 0 }, failing, failing])).toEqual([5, 5, 5, 5]);
  expect(await believed([{ drivers: 5 }, { drivers: 0 }, failing, { drivers: 0 }])).toEqual([5, 5, 5, 0]);
  expect(await believed([{ drivers: 5 }, { drivers: 0 }, failing, { drivers: 6 }])).toEqual([5, 5, 5, 6]);
});
