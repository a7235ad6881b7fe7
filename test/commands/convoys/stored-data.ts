import { createHash } from 'node:crypto';
import type { StoredValues } from '../../support/stored-data.ts';

const AT = Date.UTC(2026, 2, 5, 12);

export const values: StoredValues = ({ person, username, guild }) => {
  const id = '0000000000000001';
  const key = `${guild}:${id}`;
  const identity = { id, title: 'Night drive', server: 'two', at: AT };
  const plan = {
    ...{ ...identity, channel: `${guild}7`, zone: 'Europe/Berlin', hours: 2 },
    ...{ places: null, weekly: false, role: null },
  };
  const result = {
    ...{ there: [{ person, username }], hidden: 0, peak: null },
    ...{ known: true, holes: [], usual: null },
  };
  return {
    convoys: {
      [guild]: [
        {
          ...{ ...plan, madeBy: person, madeAt: AT, locale: 'de', colours: true },
          ...{ stage: 'open', since: AT, result: null },
        },
      ],
    },
    'convoy-sign-ups': { [key]: [{ person, answer: 'in', remind: true }] },
    'convoy-cards': {
      [key]: {
        ...{ posted: null, sending: null, orphans: [], deletions: [], paused: null },
        ...{ lastEdit: null, topic: [], voice: null },
      },
    },
    'convoy-drafts': { [person]: { ...plan, guild, madeAt: AT, when: 'tomorrow 20:00' } },
    'convoy-left-events': { [guild]: [{ id: '9', until: AT }] },
    'convoy-results': { [guild]: [{ ...identity, result }] },
    'convoy-counts': { [createHash('sha256').update(person).digest('hex').slice(0, 2)]: { [person]: 1 } },
    'convoy-oldest-results': { [guild]: AT },
    'convoy-results-counted': { all: true },
  };
};
