import { expect, test } from 'vitest';
import { MINUTE } from '../../src/base/duration.ts';
import { withOfflineSince } from '../../src/bot/offline-since.ts';
import { noFacts } from '../../src/service/models/facts.ts';
import { VirtualTime } from '../sim/virtual-time.ts';

test('asks since when servers are offline until the end, and keeps equal answers', async () => {
  const time = new VirtualTime(0);
  const resources = new AsyncDisposableStack();
  let asked = 0;
  const history = {
    offlineSince: async () => {
      asked += 1;
      return new Map([['one', 5]]);
    },
  };
  const log = { error: () => expect.unreachable() };
  const poll = withOfflineSince(
    { facts: noFacts } as unknown as Parameters<typeof withOfflineSince>[0],
    history,
    { clock: time.clock, log, resources } as unknown as Parameters<typeof withOfflineSince>[2],
  );
  await time.pass(0);
  const first = poll.facts.offlineSince;
  expect(first).toEqual(new Map([['one', 5]]));
  await time.pass(MINUTE);
  expect([asked, poll.facts.offlineSince === first]).toEqual([3, true]);
  await time.until(resources.disposeAsync());
  await time.pass(MINUTE);
  expect(asked).toBe(3);
});
