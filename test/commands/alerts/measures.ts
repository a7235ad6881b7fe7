import type { Measures } from '../../measures.ts';

export const measures: Measures = {
  sim: {
    watches: {
      description: 'a week of a community with 200 alerts, on virtual time',
      parameters: '[hours]',
      programs: [['test/commands/alerts/sim/watches-table.ts']],
    },
  },
};
