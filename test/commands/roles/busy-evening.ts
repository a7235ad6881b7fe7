import type { Features } from '../../../src/command-kit/features.ts';
import { NOON } from '../../support/records.ts';

const rule = {
  ...{ role: '123456789012345678', keep: true, linked: false, madeBy: '1', locale: 'en-GB', since: NOON },
  ...{ paused: null, ending: false, holders: 12, theirs: ['1'], unknown: 2 },
  qualify: Array.from({ length: 12 }, (_, at) => String(at)),
} as const;

export const busyRequests: Partial<Features['roles']> = {
  list: async () => ({
    rules: [
      { ...rule, when: { kind: 'proved' } },
      { ...rule, when: { kind: 'hours-30-days', atLeast: 25 } },
      { ...rule, when: { kind: 'licence', type: 'Police' }, paused: 'rights' },
    ],
    lastRun: NOON,
  }),
};
