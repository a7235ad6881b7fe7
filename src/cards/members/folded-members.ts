import { memoiseByObject } from '../../base/memoise-by-object.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { ChatStatus } from '../../service/models/chat-status.ts';
import type { JudgedFacts } from '../../service/models/facts.ts';
import { sameSpelling } from '../../service/models/identifiers.ts';
import type { Player } from '../../service/models/live-status.ts';
import { toPlainText } from '../../text/plain.ts';
import { fitLines, linePerRow } from '../kit/fit-lines.ts';
import { dutySign } from '../servers/duty.ts';
import { type ChatMember, memberName } from './member-list.ts';

/** Number of members up to which all are named, whether they drive or not. */
const FEW_MEMBERS = { members: 10, room: { characters: 600, between: ' · ' } };
/** Otherwise those who drive: about four lines on a phone. */
const DRIVERS_LIMITS = { characters: 140, entries: 12, between: ' · ' };

/**
 * "🚓 Sgt Miller · 🚗 Pampa · +29 more": those on duty in the game, then those who drive, and all the others where there
 * are few; otherwise they are a number, and nothing where nobody drives.
 */
export function foldedMembers(
  { members }: ChatStatus,
  live: JudgedFacts['live'],
  t: Translator,
): readonly string[] {
  const collator = new Intl.Collator(t.locale);
  const players = new Map(driversAmong(members, live).map(({ member, player }) => [member, player]));
  const rows = members
    .map((member) => ({ member, sign: signOf(players.get(member)) }))
    .toSorted((a, b) => a.sign.rank - b.sign.rank || collator.compare(a.member.username, b.member.username));
  const isFew = members.length <= FEW_MEMBERS.members;
  const shownRows = isFew ? rows : rows.filter(({ sign }) => sign.text !== '');
  if (shownRows.length === 0) return [];
  const names = linePerRow(shownRows, ({ member, sign }) => sign.text + memberName(member));
  // The others have no names here, but they count.
  const all = { length: members.length, [Symbol.iterator]: () => names[Symbol.iterator]() };
  return [fitLines(all, isFew ? FEW_MEMBERS.room : DRIVERS_LIMITS, t)];
}

function signOf(player: Player | undefined) {
  if (player === undefined) return { text: '', rank: 2 };
  const duty = dutySign(player);
  return { text: `${duty ?? '🚗'}\u00a0`, rank: duty === null ? 1 : 0 };
}

/**
 * The members who are driving now: their name on Discord is a driver's login name or in-game name. Only the same name, but
 * for case and colours, and only where one member and one driver have it: a name that two have says nothing about either.
 */
function driversAmong(members: readonly ChatMember[], live: JudgedFacts['live']) {
  const files = Object.values(live).flatMap((file) =>
    file === null || file.isStale ? [] : [playersByName(file.record.players)],
  );
  const membersByName = byName(members, ({ username }) => [username]);
  return members.flatMap((member) => {
    const name = comparable(member.username);
    const drivers = files.flatMap((players) => (players.has(name) ? [players.get(name)] : []));
    const [player = null] = drivers.length === 1 ? drivers : [];
    return player !== null && membersByName.get(name) === member ? [{ member, player }] : [];
  });
}

const playersByName = memoiseByObject((players: readonly Player[]) =>
  byName(players, ({ username, nickname }) => [username, nickname && toPlainText(nickname)]),
);

/** The people by name; null where several have it. */
function byName<T>(
  people: readonly T[],
  namesOf: (person: T) => readonly (string | null)[],
): ReadonlyMap<string, T | null> {
  const peopleByName = new Map<string, T | null>();
  for (const person of people) {
    for (const rawName of namesOf(person)) {
      const name = comparable(rawName ?? '');
      if (name === '') continue;
      const other = peopleByName.get(name);
      peopleByName.set(name, other === undefined || other === person ? person : null);
    }
  }
  return peopleByName;
}

function comparable(name: string): string {
  return sameSpelling(name.trim());
}
