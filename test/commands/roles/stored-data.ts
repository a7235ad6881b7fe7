import type { StoredValues } from '../../support/stored-data.ts';

const AT = Date.UTC(2026, 2, 5, 12);

const ROLE = '100000000000000001';

export const values: StoredValues = ({ person, username, guild }) => ({
  'role-rules': {
    [guild]: [
      {
        ...{ role: ROLE, when: { kind: 'proved' }, keep: false, linked: false, madeBy: person },
        ...{ locale: 'en-GB', since: 0, paused: null, ending: false },
      },
    ],
  },
  'role-holders': { [`${guild} ${ROLE}`]: { [person]: { state: 'held', joined: '2026-01-01T00:00:00Z' } } },
  'role-figures': {
    [person]: { driver: username, asOf: AT, hours: 1, km: 2, policeXp: null, licences: null },
  },
});
