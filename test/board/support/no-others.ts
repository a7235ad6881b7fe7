import type { World } from '../../../src/board/world.ts';

/** No messages that are kept like boards. */
export const noOthers: World['others'] = {
  records: {
    served: async () => new Map(),
    stateOf: async () => null,
    saveState: async () => {},
    remove: async () => {},
  },
  frame: () => null,
  marker: (id) => id,
};
