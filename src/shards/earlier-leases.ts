import { z } from 'zod';
import { type Clock, sleep } from '../base/clock.ts';
import { MINUTE } from '../base/duration.ts';
import { declareCollection } from '../store/collection.ts';
import type { Documents } from '../store/documents.ts';
import { retryWhileUnavailable } from '../store/retry-while-unavailable.ts';

/** The state of the processes of versions before 2.0.0, which leased each shard. Only read. */
export const clusterStates = declareCollection({
  name: 'cluster',
  schema: z.object({ members: z.record(z.string(), z.object({ until: z.number() })) }),
  unreadable: 'none',
  person: 'nobody',
});

/** The numbers of the leases of versions before 2.0.0. Not read: the start knows the collection. */
export const earlierFences = declareCollection({
  name: 'shard-fences',
  schema: z.unknown(),
  unreadable: 'none',
  person: 'nobody',
});

const LOOK_MS = 500;
/** The longest lease, in ms. */
const LONGEST_LEASE_MS = MINUTE;

/** Resolves when no process of an earlier version has a lease. Such processes end when this version has opened the store. */
export async function awaitEarlierLeases(
  documents: Documents,
  clock: Pick<Clock, 'monotonic' | 'after'>,
  signal: AbortSignal,
): Promise<void> {
  const end = clock.monotonic() + LONGEST_LEASE_MS;
  while (clock.monotonic() < end) {
    const { text, now } = await retryWhileUnavailable(() => documents.read(clusterStates.name, 'state'), {
      clock,
      onFirstFailure() {},
    });
    const members = Object.values(clusterStates.decode(text)?.members ?? {});
    if (members.every(({ until }) => until <= now)) return;
    await sleep(clock, LOOK_MS, signal);
  }
}
