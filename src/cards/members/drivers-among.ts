import type { Judged } from '../../service/models/facts.ts';
import { sameSpelling } from '../../service/models/identifiers.ts';
import type { LiveServer, LiveStatus } from '../../service/models/live-status.ts';
import { plain } from '../../text/plain.ts';
import type { Member } from './member-list.ts';

type Player = LiveStatus['players'][number];
type LiveFiles = Readonly<Record<LiveServer, Judged<LiveStatus> | null>>;

/** A member of the Discord server who is driving now. */
interface DrivingMember {
  readonly member: Member;
  readonly player: Player;
}

/**
 * The members whose name on Discord is a driver's login name or in-game name. Only the same name, but for case and
 * colours, and only where one member and one driver have it: a name that two have says nothing about either.
 */
export function driversAmong(members: readonly Member[], live: LiveFiles): readonly DrivingMember[] {
  const players = Object.values(live).flatMap((file) =>
    file === null || file.isStale ? [] : file.record.players,
  );
  const driving = byName(players, ({ username, nickname }) => [username, nickname && plain(nickname)]);
  const named = byName(members, ({ username }) => [username]);
  return members.flatMap((member) => {
    const player = driving.get(comparable(member.username));
    return player && named.get(comparable(member.username)) === member ? [{ member, player }] : [];
  });
}

/** Who has which name; null where several have it. */
function byName<T>(
  people: readonly T[],
  namesOf: (one: T) => readonly (string | null)[],
): ReadonlyMap<string, T | null> {
  const found = new Map<string, T | null>();
  for (const one of people) {
    const names = new Set(namesOf(one).flatMap((name) => (name === null ? [] : comparable(name))));
    for (const name of names) if (name !== '') found.set(name, found.has(name) ? null : one);
  }
  return found;
}

function comparable(name: string): string {
  return sameSpelling(name.trim());
}
