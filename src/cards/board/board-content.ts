import type { ChatStatus } from '../../service/models/models.ts';
import { timestamp } from '../../i18n/timestamp.ts';
import type { Words } from '../../i18n/translator.ts';
import { type BoardFacts, type Judged, type JudgedFacts, judged } from './board-facts.ts';
import type { Section } from '../kit/embed.ts';
import { chatName, joined } from '../kit/lines.ts';
import { channelsInLine, memberCount, memberLines } from '../members/member-list.ts';
import { serverLines } from '../servers/server-lines.ts';

/** Between servers and between groups of members: an empty line, so that the eye finds them. */
const BETWEEN = '\n\n';
/** Characters of a column, which is one field of chat (field notes §3). */
const COLUMN = 1024;
const CHAT = 60;

/**
 * The servers and, beside them, the members. Nothing in it depends on when it is drawn.
 *
 * Two fields side by side in one embed, because several embeds stand below each other at every width. They are the
 * only two: chat puts up to three inline fields in a row, in which a third would squeeze the bars, and further rows
 * would leave holes where one column is longer. On a phone the fields fold below each other, servers first. The
 * channels take the full width below.
 */
export function boardContent(facts: BoardFacts, words: Words): readonly Section[] {
  const known = judged(facts);
  return [servers(known, words), members(known.chat, words), ...channels(known.chat, words)];
}

function servers(facts: JudgedFacts, words: Words): Section {
  const { overview } = facts;
  const marks = overview === null ? [words.text('board.noOverview')] : mark(overview, words);
  const blocks = serverLines(facts, { characters: left(marks), between: BETWEEN }, words);
  const none = overview !== null && blocks.length === 0 ? [words.text('board.noServers')] : [];
  const lines = [...marks, ...blocks, ...none];
  return { name: words.text('board.servers'), lines, inline: true, between: BETWEEN };
}

function members(chat: Judged<ChatStatus> | null, words: Words): Section {
  const title = words.text('board.members');
  if (chat === null) return { name: title, lines: [words.text('board.noMembers')], inline: true };
  const { record } = chat;
  const where = record.name === null ? title : chatName(record.name, CHAT);
  const marks = mark(chat, words);
  const lines =
    record.members.length === 0
      ? [words.text('members.none')]
      : memberLines(record.members, { characters: left(marks), between: BETWEEN }, words);
  const name = joined(where, memberCount(record, words));
  return { name, lines: [...marks, ...lines], inline: true, between: BETWEEN };
}

function channels(chat: Judged<ChatStatus> | null, words: Words): readonly Section[] {
  if (chat === null || chat.record.channels.length === 0) return [];
  return [{ name: words.text('board.channels'), lines: [channelsInLine(chat.record, COLUMN, words)] }];
}

/** What the marks above a column leave of it. */
function left(marks: readonly string[]): number {
  return marks.reduce((room, line) => room - line.length - BETWEEN.length, COLUMN);
}

/** Says of when a part is that is older than the rest. Not how long ago: that would read differently every minute. */
function mark({ old, asOf }: Judged<unknown>, words: Words): readonly string[] {
  if (!old) return [];
  const when = timestamp(asOf, 'time') ?? words.text('card.momentUnknown');
  return [words.text('board.oldPart', { when })];
}
