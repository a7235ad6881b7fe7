import type { Cluster } from '../../src/shards/cluster.ts';

/** For a process that nothing else runs beside. */
export const alone: Pick<Cluster, 'claim' | 'answeredElsewhere'> = {
  claim: async () => true,
  answeredElsewhere() {},
};
