/** Extracts from one live file the part that history keeps. */

import { drivingPlayers, type LiveStatus, type Player } from '../../service/models/live-status.ts';
import { isUnreadable } from '../../service/models/read.ts';
import type { CountPoint } from './history.ts';
import type { SeenDriver } from './stays.ts';

const roleFlags = ['cop', 'med', 'tow'] as const;
const flags = [...roleFlags, 'isChased'] as const;

export function liveReading(
  { players, duty: report }: Pick<LiveStatus, 'players' | 'duty'>,
  isHidden: (username: string) => boolean,
): {
  readonly drivers: number;
  readonly police: CountPoint['police'];
  /** Drivers in the file whom nobody has hidden. */
  readonly namedDrivers: readonly SeenDriver[];
  /** The file names its drivers; null for an empty one, which does not show it. */
  readonly names: boolean | null;
} {
  const hasDuty = flags.every((flag) => report[flag] === 'all');
  const reportsRoles = roleFlags.every((flag) => report[flag] === 'all' || report[flag] === 'unclear');
  return {
    drivers: drivingPlayers(players).length,
    police: hasDuty ? players.filter(({ cop }) => cop === true).length : null,
    namedDrivers: players.flatMap((player) =>
      player.username === null || isHidden(player.username)
        ? []
        : [{ driver: player.username, roles: reportsRoles ? rolesOf(player) : null }],
    ),
    names: players.length === 0 ? null : players.some(({ username }) => username !== null),
  };
}

function rolesOf({ cop, med, tow }: Player): SeenDriver['roles'] {
  if (cop === null && med === null && tow === null) return null;
  if ([cop, med, tow].some(isUnreadable)) return null;
  return [
    ...(cop === true ? ['police' as const] : []),
    ...(med === true ? ['medic' as const] : []),
    ...(tow === true ? ['tow' as const] : []),
  ];
}
