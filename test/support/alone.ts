import type { InteractionClaims } from '../../src/shards/interaction-claims.ts';

/** For a process that nothing else runs beside. */
export const alone: InteractionClaims = { claim: async () => true, answeredElsewhere() {} };
