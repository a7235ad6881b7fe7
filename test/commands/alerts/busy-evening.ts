import type { Watch } from '../../../commands/alerts/models/watch.ts';
import { DAY, HOUR } from '../../../src/base/duration.ts';
import type { Features } from '../../../src/command-kit/features.ts';
import type { Document } from '../../../src/store/documents.ts';
import { NOON } from '../../support/records.ts';

const watch: Omit<Watch, 'id' | 'condition'> = {
  ...{ person: '1', place: { kind: 'direct' }, locale: 'en-GB', zone: 'Europe/Berlin', atNight: false },
  ...{ since: NOON - DAY, snoozedUntil: null, paused: null, once: null },
};
const conditions: readonly Watch['condition'][] = [
  { kind: 'driver', player: 'old_timer' },
  { kind: 'server', server: 'one', free: 2, drivers: null },
  { kind: 'duty', duty: 'police', atLeast: 2 },
  { kind: 'car', vin: 'AB12C', below: 50_000 },
  { kind: 'mine', player: 'k3nny', below: 50 },
  { kind: 'outage', server: 'one', goes: 'both', after: 5 },
];
const own = conditions.map((condition, at) => ({
  ...{ ...watch, id: `aaaaa${at}`, condition, isForbidden: false },
  snoozedUntil: at === 2 ? NOON + HOUR : null,
}));
const place = { kind: 'channel', guild: '2', channel: '123456789012345678', role: null } as const;
const here = own.slice(0, 3).map((each) => ({ ...each, id: each.id.replace('a', 'b'), place }));

/** The alerts that the person has, as they are stored. */
export const busyDocuments = (person: string): readonly Document[] => [
  {
    ...{ collection: 'watches', key: `direct:${person}` },
    text: JSON.stringify(own.map((each) => ({ ...each, person }))),
  },
];

export const busyRequests: Partial<Features['alerts']> = { list: async () => ({ own, here }) };
