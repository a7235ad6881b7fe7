import { expect, test } from 'vitest';
import { createLedger } from '../../../src/service/budget/ledger/ledger.ts';
import { createPermits } from '../../../src/service/budget/permits.ts';
import { VirtualTime } from '../../sim/virtual-time.ts';
import { NOW, permitOf, snapshotOf } from './examples.ts';

/** Who sleeps for a minute, and has been woken by now. */
function createSleepers() {
  const time = new VirtualTime(NOW);
  const store = {
    transaction: async <T>(decide: (snapshot: ReturnType<typeof snapshotOf>) => { readonly result: T }) =>
      decide(snapshotOf()).result,
    close: async () => {},
  };
  const ledger = createLedger(store, { headroom: 4 });
  const permits = createPermits({ ledger, clock: time.clock, flightMs: 1000 });
  const awake: string[] = [];
  const asleep = [
    ['waits for an answer', true],
    ['waits for its turn', false],
  ] as const;
  for (const [who, early] of asleep) void permits.sleep(60_000, early).then(() => awake.push(who));
  return { time, permits, awake };
}

test('a permit that comes back unused wakes all who wait for one', async () => {
  const { time, permits, awake } = createSleepers();
  await permits.settle(permitOf(), { kind: 'unsent' });
  await time.pass(0);
  expect(awake).toEqual(['waits for an answer', 'waits for its turn']);
});

test('any other outcome wakes only callers who wait for an answer', async () => {
  const { time, permits, awake } = createSleepers();
  await permits.settle(permitOf(), { kind: 'doubtful' });
  await time.pass(59_999);
  expect(awake).toEqual(['waits for an answer']);
  await time.pass(1);
  expect(awake).toEqual(['waits for an answer', 'waits for its turn']);
});
