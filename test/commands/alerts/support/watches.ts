import type { Watch } from '../../../../commands/alerts/models/watch.ts';

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
