import type { RecentNames } from '../../src/store/names/recent-names.ts';

/** Nobody has been seen yet. */
export const noNames: RecentNames = {
  players: () => [],
  vins: () => [],
  playersNear: () => [],
  vinsNear: () => [],
  playersCalled: () => [],
};
