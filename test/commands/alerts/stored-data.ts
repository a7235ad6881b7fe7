import type { StoredValues } from '../../support/stored-data.ts';

const AT = Date.UTC(2026, 2, 5, 12);

export const values: StoredValues = ({ person, username }) => ({
  watches: {
    [`direct:${person}`]: [
      {
        ...{
          id: 'aaaaaa',
          person,
          place: { kind: 'direct' },
          condition: { kind: 'driver', player: username },
        },
        ...{ locale: 'en-GB', zone: 'Europe/London', atNight: false, since: AT },
        ...{ snoozedUntil: null, paused: null, once: null },
      },
    ],
  },
  'watch-states': {
    [`direct:${person}`]: {
      aaaaaa: {
        ...{ at: null, scope: '', begun: 0, before: [], twice: [] },
        ...{ known: null, ended: [], pending: [] },
      },
    },
  },
  'watch-readings': {
    '0': {
      [JSON.stringify({ kind: 'driver', player: 'zoe' })]: {
        ...{ at: AT, scope: 'one', begun: AT, before: [], twice: [] },
        ...{ known: [], ended: [], pending: [] },
      },
    },
  },
  'pause-notices': { [person]: 'closed' },
});
