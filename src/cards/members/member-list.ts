import type { Translator } from '../../i18n/translator.ts';
import type { ChatStatus } from '../../service/models/chat-status.ts';
import { fitLines, type Lines, linePerRow, type Room } from '../kit/fit-lines.ts';
import { chatName } from '../kit/lines.ts';

export type ChatMember = ChatStatus['members'][number];

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
 * below the number of rows is wrong.
 */
export function memberCount({ presenceCount, members }: ChatStatus, t: Translator): string {
  if (presenceCount === null || presenceCount < members.length) return atLeast(members.length, members, t);
  return t.number(presenceCount);
}

/** The text for an empty list: nobody is there, or the service does not say who. */
export function noMembers({ presenceCount }: ChatStatus, t: Translator): string {
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
