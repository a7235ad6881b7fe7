import { memoiseByObject } from '../../base/memoise-by-object.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { ChatStatus } from '../../service/models/chat-status.ts';
import type { JudgedFacts } from '../../service/models/facts.ts';
import { sameSpelling } from '../../service/models/identifiers.ts';
import type { Player } from '../../service/models/live-status.ts';
import { chatName } from '../../text/names.ts';
import { toPlainText } from '../../text/plain.ts';
import { fitLines, type Lines, linePerRow, type Room } from '../kit/fit-lines.ts';
import { dutySign } from './duty.ts';

type ChatMember = ChatStatus['members'][number];

/** The statuses in a guild widget, and one for any other. */
const statuses = ['online', 'idle', 'dnd', 'other'] as const;

/** A guild widget lists at most this many members. */
const MAX_MEMBERS = 100;
/** Maximum characters of a name: Discord allows 32, and its markdown needs a few more. */
const MAX_NAME_LENGTH = 40;

/**
 * The members by status, without empty groups, sorted by name, so that a different order from the service does not change
 * the board.
 */
export function groupsOf(members: readonly ChatMember[], t: Translator) {
  const collator = new Intl.Collator(t.locale);
  const sorted = members.toSorted((a, b) => collator.compare(a.username, b.username));
  const byStatus = Map.groupBy(sorted, statusOf);
  return statuses.flatMap((status) => {
    const group = byStatus.get(status);
    return group === undefined ? [] : [{ status, members: group }];
  });
}

function statusOf({ status }: ChatMember): (typeof statuses)[number] {
  return statuses.find((known) => known === status) ?? 'other';
}

export function memberName({ username }: ChatMember): string {
  return chatName(username, MAX_NAME_LENGTH);
}

/**
 * The number of members: the true count where reported, else the rows, as "100+" where the list is cut. A count
 * below the number of rows is wrong. Null: there is no list.
 */
export function memberCount(
  { presenceCount, members, isWidgetOff }: ChatStatus,
  t: Translator,
): string | null {
  if (isWidgetOff) return null;
  if (presenceCount === null || presenceCount < members.length) return atLeast(members.length, members, t);
  return t.number(presenceCount);
}

/** The text for an empty list: nobody is there, or the community or the service does not say who. */
export function noMembers({ presenceCount, isWidgetOff }: ChatStatus, t: Translator): string {
  if (isWidgetOff) return t('members.widgetOff');
  return t((presenceCount ?? 0) > 0 ? 'members.unlisted' : 'members.none');
}

/** "🟢 online 42", or "42+" if the list is cut. */
export function groupHeading(
  { status, members }: ReturnType<typeof groupsOf>[number],
  all: readonly ChatMember[],
  t: Translator,
): string {
  return `${t(`members.status.${status}`)} ${atLeast(members.length, all, t)}`;
}

function atLeast(count: number, all: readonly ChatMember[], t: Translator): string {
  return all.length >= MAX_MEMBERS ? t('members.atLeast', { n: count }) : t.number(count);
}

/**
 * The members by status, fitted so that all groups have space. A short group leaves its unused space to the longer
 * ones.
 */
export function memberLines(
  members: readonly ChatMember[],
  room: Required<Omit<Room, 'entries'>>,
  t: Translator,
): readonly string[] {
  const groups = groupsOf(members, t).map((group) => {
    const heading = `**${groupHeading(group, members, t)}**\n`;
    return (characters: number): string =>
      heading +
      fitLines(
        linePerRow(group.members, memberName),
        { characters: characters - heading.length, between: ' · ' },
        t,
      );
  });
  const texts = new Map<number, string>();
  let charactersLeft = room.characters - room.between.length * Math.max(0, groups.length - 1);
  const byLength = groups
    .map((write, index) => ({ write, index, length: write(charactersLeft).length }))
    .toSorted((a, b) => a.length - b.length);
  for (const [place, { write, index }] of byLength.entries()) {
    const text = write(Math.floor(charactersLeft / (groups.length - place)));
    texts.set(index, text);
    charactersLeft -= text.length;
  }
  return groups.flatMap((_, index) => texts.get(index) ?? []);
}

/** The channels in order, with their member counts; the service does not distinguish voice from text. */
export function channelLines({ channels, members }: ChatStatus, t: Translator): Lines {
  const inside = Map.groupBy(members, ({ channel_id: id }) => id);
  return linePerRow(channels, (channel) => {
    const count = channel.id === null ? 0 : (inside.get(channel.id)?.length ?? 0);
    const name = chatName(channel.name, MAX_NAME_LENGTH);
    return count === 0 ? name : t('members.inChannel', { channel: name, n: atLeast(count, members, t) });
  });
}

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
