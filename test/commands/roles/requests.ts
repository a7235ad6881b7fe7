import type { Features } from '../../../src/command-kit/features.ts';

/** A guild without rules, where none can be made. */
export const createRequests = (): Features['roles'] => ({
  refusalOf: async () => null,
  add: async () => 'lost',
  preview: async () => [],
  list: async () => ({ rules: [], lastRun: null }),
  remove: async () => 'none',
});
