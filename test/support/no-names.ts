import type { RecentNames } from '../../src/command-kit/names/recent-names.ts';

/** Nobody has been seen yet. */
export const noNames: RecentNames = {
  players: () => [],
  vins: () => [],
  playersNear: () => [],
  vinsNear: () => [],
  licences: () => [],
  playersCalled: () => [],
  nicknameOf: () => null,
  playerWithId: () => null,
};
