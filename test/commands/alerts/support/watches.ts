import type { createWatchRounds } from '../../../../commands/alerts/jobs/watch-rounds.ts';
import { newWatchState } from '../../../../commands/alerts/models/observe.ts';
import type { Watch } from '../../../../commands/alerts/models/watch.ts';
import { createWatches } from '../../../../commands/alerts/models/watches.ts';
import type { Documents } from '../../../../src/store/documents.ts';

/** A watch by direct message, of a driver; each test changes what it is about. */
export function directWatch(id: string, changes: Partial<Watch> = {}): Watch {
  return {
    id,
    person: '11',
    place: { kind: 'direct' },
    condition: { kind: 'driver', player: 'k3nny' },
    locale: 'en-GB',
    zone: 'Europe/London',
    atNight: false,
    since: Date.UTC(2026, 2, 1),
    snoozedUntil: null,
    paused: null,
    once: null,
    ...changes,
  };
}

/** The same in a channel. */
export function channelWatch(id: string, changes: Partial<Watch> = {}): Watch {
  return directWatch(id, {
    place: { kind: 'channel', guild: '1', channel: '7', role: null },
    condition: { kind: 'duty', duty: 'police', atLeast: 3 },
    ...changes,
  });
}

/** Stores alerts that have been set when nothing was true. Resolves with all that are stored. */
export async function storeWatches(documents: Documents, ...watches: readonly Watch[]) {
  const repository = createWatches(documents);
  await Promise.all(watches.map((watch) => repository.add({ watch, state: newWatchState })));
  return repository;
}

/** Parts of rounds in a community where everything is allowed and nothing fails. */
export const unrestricted = {
  access: () => ({ kind: 'open' }),
  inZone: async (watch) => watch,
  tell: async () => false,
  holds: () => true,
  unwatched: async () => new Set(),
  outages: async () => [],
  retry: () => {},
} satisfies Partial<Parameters<typeof createWatchRounds>[0]>;
