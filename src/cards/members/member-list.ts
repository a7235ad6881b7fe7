import type { Translator } from '../../i18n/translator.ts';
import type { ChatStatus } from '../../service/models/chat-status.ts';
import { type Column, each, fitLines, type Lines } from '../kit/fit-lines.ts';
import { chatName } from '../kit/lines.ts';

export type Member = ChatStatus['members'][number];

/** The states that a guild widget names, and one for any other. */
const statuses = ['online', 'idle', 'dnd', 'other'] as const;
export type Status = (typeof statuses)[number];

/** A guild widget lists no more members than this, however many there are. */
const ROWS = 100;
/** Characters of a name: chat allows 32, and its markdown needs a few more. */
const NAME = 40;

export interface Group {
  readonly status: Status;
  /** At least one, by name, so that another order of the service is no other board. */
  readonly members: readonly Member[];
}

/** The members by status, without the statuses that nobody has. */
export function groupsOf(members: readonly Member[], t: Translator): readonly Group[] {
  const collator = new Intl.Collator(t.locale);
  const sorted = members.toSorted((a, b) => collator.compare(a.username, b.username));
  const byStatus = Map.groupBy(sorted, statusOf);
  return statuses.flatMap((status) => {
    const group = byStatus.get(status);
    return group === undefined ? [] : [{ status, members: group }];
  });
}

function statusOf({ status }: Member): Status {
  return statuses.find((known) => known === status) ?? 'other';
}

export function memberName({ username }: Member): string {
  return chatName(username, NAME);
}

function isCut(members: readonly Member[]): boolean {
  return members.length >= ROWS;
}

/**
 * How many are there: the true count where it is reported, else the rows, as "100+" where the list is cut. A count
 * below the rows is no true one.
 */
export function memberCount({ presenceCount, members }: ChatStatus, t: Translator): string {
  if (presenceCount === null || presenceCount < members.length) return atLeast(members.length, members, t);
  return t.number(presenceCount);
}

/** What stands in place of an empty list: nobody is there, or the service does not say who. */
export function noMembers({ presenceCount }: ChatStatus, t: Translator): string {
  return t((presenceCount ?? 0) > 0 ? 'members.unlisted' : 'members.none');
}

/** "🟢 online 42", or "42+" where the list is cut. */
export function groupHeading({ status, members }: Group, all: readonly Member[], t: Translator): string {
  return `${t(`members.status.${status}`)} ${atLeast(members.length, all, t)}`;
}

function atLeast(count: number, all: readonly Member[], t: Translator): string {
  return isCut(all) ? t('members.atLeast', { n: count }) : t.number(count);
}

/**
 * The members by status, each group with its names, so that all groups fit. A short group leaves the room
 * that it does not need to the longer ones.
 */
export function memberLines(members: readonly Member[], room: Column, t: Translator): readonly string[] {
  const more = (left: number): string => t('card.more', { n: left });
  const groups = groupsOf(members, t).map((group) => {
    const heading = `**${groupHeading(group, members, t)}**\n`;
    return (characters: number): string =>
      heading +
      fitLines(
        each(group.members, memberName),
        { characters: characters - heading.length, between: ' · ' },
        more,
      );
  });
  const texts = new Map<number, string>();
  let left = room.characters - room.between.length * Math.max(0, groups.length - 1);
  const byLength = groups
    .map((write, index) => ({ write, index, length: write(left).length }))
    .toSorted((a, b) => a.length - b.length);
  for (const [place, { write, index }] of byLength.entries()) {
    const text = write(Math.floor(left / (groups.length - place)));
    texts.set(index, text);
    left -= text.length;
  }
  return groups.flatMap((_, index) => texts.get(index) ?? []);
}

/** The channels in their order, with how many are in them; the service does not tell voice from text. */
export function channelLines({ channels, members }: ChatStatus, t: Translator): Lines {
  const inside = Map.groupBy(members, ({ channel_id: id }) => id);
  return each(channels, (channel) => {
    const count = inside.get(channel.id)?.length ?? 0;
    const name = chatName(channel.name, NAME);
    return count === 0 ? name : t('members.inChannel', { channel: name, n: count });
  });
}

/** The channels one behind the other, in at most so many characters. */
export function channelsInLine(status: ChatStatus, room: number, t: Translator): string {
  const more = (left: number): string => t('card.more', { n: left });
  return fitLines(channelLines(status, t), { characters: room, between: ' · ' }, more);
}
