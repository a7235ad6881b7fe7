import type { StoredData } from '../../src/service/models/own-data.ts';
import { newRule } from '../roles/support/world.ts';
import { directWatch } from './watches.ts';

const AT = Date.UTC(2026, 2, 5, 12);

/** The data of a person of whom nothing is stored. */
export const noStoredData: StoredData = {
  link: null,
  proof: null,
  corrections: [],
  watches: [],
  sent: [],
  pauseNotice: null,
  timeZone: null,
  profileAsPicture: null,
  roles: null,
  figures: null,
  convoys: null,
  boards: [],
};

const identity = { guild: '1', id: '0000000000000001', title: 'Night drive', server: 'two', at: AT };
const draft: NonNullable<StoredData['convoys']>['draft'] = {
  ...identity,
  ...{ channel: '7', zone: 'Europe/Berlin', hours: 2, places: null, weekly: false, role: null },
  ...{ when: 'tomorrow 20:00', madeAt: AT },
};
const { when: _when, ...plan } = draft;
const made: NonNullable<StoredData['convoys']>['made'][number] = {
  ...{ ...plan, at: AT, locale: 'de', colours: true },
  ...{ stage: 'open', since: AT, event: null },
};
const { madeBy: _madeBy, ...rule } = { ...newRule, guild: '1' };

/** The data of a person of whom each kind is stored. */
export const fullStoredData: StoredData = {
  link: { username: 'k3nny', since: AT, by: 'self', proved: AT, hidden: false, unwatched: true },
  proof: { begun: [AT], latest: { username: 'k3nny', code: 'pw-abcd', until: AT } },
  corrections: [{ guild: '1', username: 'zoe', since: AT }],
  watches: [{ ...directWatch('aaaaaa', { since: AT }), state: null }],
  sent: [{ at: AT, settled: true }],
  pauseNotice: 'closed',
  timeZone: 'Europe/Berlin',
  profileAsPicture: true,
  roles: { known: [{ guild: '1', role: '5', state: 'held', joined: '2026-01-01T00:00:00Z' }], made: [rule] },
  figures: { driver: 'k3nny', asOf: AT },
  convoys: {
    ...{ made: [made], draft, there: [identity] },
    signedUp: [{ ...identity, answer: 'in', remind: true }],
  },
  boards: [{ guild: '1', channel: '7', since: AT }],
};
