import { MINUTE } from '../../base/duration.ts';
import { formatMoment, formatTimestamp } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { ChatStatus } from '../../service/models/chat-status.ts';
import type { Judged, JudgedFacts } from '../../service/models/facts.ts';
import { type Content, createCard, type Section } from '../kit/card.ts';
import { faultReasons, oldSince, partialNotice } from '../kit/freshness.ts';
import { compact, joinParts } from '../kit/lines.ts';
import { drivingSection, drivingSigns, namedDrivers } from '../servers/driving.ts';
import {
  channelLines,
  foldedMembers,
  groupHeading,
  groupsOf,
  memberCount,
  memberLines,
  noMembers,
} from '../servers/member-list.ts';
import { serverLines, serverName } from '../servers/server-lines.ts';
import { summaryText } from '../servers/summary.ts';
import type { BoardLook, BoardView } from './board-look.ts';

/**
 * Servers, members and drivers, and below them a status line: a live board, or `/servers`. Apart from its times, the same
 * facts always give the same card.
 */
export function boardCard(
  look: BoardLook,
  wanted: BoardView,
  t: Translator,
  {
    round = null,
    components = [],
  }: Pick<Content, 'components'> & {
    /** How long it takes until the board is updated again in ms, where that is slower than usual. */
    readonly round?: number | null;
  } = {},
) {
  const { mode, shown } = look;
  const view = shown.chat?.record.isWidgetOff === true ? { ...wanted, members: 'off' as const } : wanted;
  // After so long, a number would mislead.
  const { above, sections } =
    mode === 'no-data' ? { above: [], sections: [] } : boardContent(shown, view, mode !== 'stale', t);
  const name = t(`board.mode.${mode}`);
  const count = mode === 'no-data' ? null : membersCount(shown, view, mode !== 'stale', t);
  const foot = footOf(look, round, t);
  const small = (...status: readonly string[]): string =>
    compact(drivingSigns(shown, t), count, joinParts(...status))
      .map((line) => `-# ${line}`)
      .join('\n');
  // Below two columns it needs a field of its own, which must have a name.
  const end =
    sections.at(-1)?.inline === true
      ? { sections: [...sections, { name, lines: [small(foot)] }] }
      : { sections, tail: small(name, foot) };
  return createCard({ title: t('board.title'), lead: [...leadOf(look, t), ...above], components, ...end }, t);
}

/** Above the figures, so that old ones are not taken for new; old parts among new ones have their own mark. */
function leadOf({ mode, whys, since, shown }: BoardLook, t: Translator): readonly (string | null)[] {
  if (mode === 'paused') return [t('board.lead.paused')];
  if (mode === 'no-data') return [t('board.lead.no-data', { why: faultReasons(whys, t) }).trim()];
  if (mode === 'stale') return [oldSince(since, whys, t)];
  return [partialNotice(whys, t), summaryText(shown, t)];
}

/** "drivers 4 seconds ago, the rest 1 minute ago · updates every 50 s"; a single age where both are the same. */
function footOf({ mode, times, checked }: BoardLook, round: number | null, t: Translator): string {
  const ago = (moment: number | null): string | null => formatTimestamp(moment, 'relative');
  const rest = ago(times?.rest ?? null);
  const drivers = ago(times?.drivers ?? null);
  const parts =
    times === null
      ? [ago(checked)]
      : drivers === null || rest === null || drivers === rest
        ? [drivers ?? rest]
        : [t('board.checkedPart.drivers', { ago: drivers }), t('board.checkedPart.rest', { ago: rest })];
  const pace = round === null || mode === 'paused' ? null : everySoOften(round, t);
  return joinParts(compact(...parts).join(', '), pace);
}

/** In steps of five seconds, from two minutes on in whole minutes; rather too long than too short. */
function everySoOften(ms: number, t: Translator): string {
  const seconds = Math.ceil(ms / 5000) * 5;
  if (seconds <= 120) return t('board.everySeconds', { seconds });
  return t('board.everyMinutes', { minutes: Math.ceil(ms / MINUTE) });
}

/** An empty line between groups of members. Servers have none: the board fits on the screen of a phone. */
const BETWEEN = '\n\n';
/** Characters of a column, which is one embed field: Discord allows 1024. */
const COLUMN = 1024;

/**
 * The servers and, beside them, the members, independent of the current time. `facts`: those of the view. `marked`: old
 * parts have their time, where others are newer.
 *
 * Two fields side by side in one embed, because separate embeds are stacked at any width. Only two: Discord puts up
 * to three inline fields in a row, where a third would squeeze the bars, and further rows would leave gaps below
 * the shorter column. On a phone the fields are stacked, servers first. Who is driving and the channels take the full
 * width below. Without members beside them, the servers need no heading but the card's own: they stand `above` the fields.
 */
function boardContent(
  facts: JudgedFacts,
  view: BoardView,
  marked: boolean,
  t: Translator,
): { readonly above: readonly string[]; readonly sections: readonly Section[] } {
  const beside =
    view.members === 'off' || isCountEnough(facts, view, marked) ? null : members(facts, view, marked, t);
  const lines = serversText(facts, view, marked, t);
  const below = compact(
    view.names === 'off' ? null : drivingSection(facts, t),
    view.members === 'on' && facts.chat !== null && facts.chat.record.channels.length > 0
      ? { name: t('board.channels'), lines: channelLines(facts.chat.record, t), between: ' · ' }
      : null,
  );
  if (beside === null) return { above: lines, sections: below };
  return { above: [], sections: [{ name: t('board.servers'), lines, inline: true }, beside, ...below] };
}

function serversText(facts: JudgedFacts, view: BoardView, marked: boolean, t: Translator): readonly string[] {
  const { overview } = facts;
  const marks = overview === null ? [t('board.noOverview')] : marked ? mark(overview, t) : [];
  const blocks = serverLines(facts, view.names === 'on', left(marks), t);
  const none = overview !== null && blocks.length === 0 ? [noServers(view, t)] : [];
  return [...marks, ...blocks, ...none];
}

/** A board of chosen servers is empty where the service has dropped or renamed them. */
function noServers({ servers: chosen }: BoardView, t: Translator): string {
  if (chosen === null) return t('board.noServers');
  return t('board.noneChosen', { servers: chosen.map((name) => serverName(name, t)).join(', ') });
}

/** Number of named drivers up to which members are named too: with more, the first lines would leave a phone's screen. */
const MANY_NAMED = 10;

function isCountEnough({ chat, ...facts }: JudgedFacts, view: BoardView, marked: boolean): boolean {
  const isShown = view.members !== 'off' && view.names !== 'off' && chat !== null;
  // The mark of old members stands at their field.
  return isShown && !(marked && chat.isStale) && namedDrivers({ chat, ...facts }) > MANY_NAMED;
}

/** "On Discord · 24" in place of the members; null where these are shown. */
function membersCount(facts: JudgedFacts, view: BoardView, marked: boolean, t: Translator): string | null {
  const { chat } = facts;
  return chat === null || !isCountEnough(facts, view, marked) ? null : membersName(chat.record, t);
}

function membersName(chat: ChatStatus, t: Translator): string {
  return joinParts(t('board.members'), memberCount(chat, t));
}

function members({ chat, live }: JudgedFacts, view: BoardView, marked: boolean, t: Translator): Section {
  if (chat === null) return { name: t('board.members'), lines: [t('board.noMembers')], inline: true };
  const { record } = chat;
  const marks = marked ? mark(chat, t) : [];
  const section = (lines: readonly string[], between: string): Section => ({
    name: membersName(record, t),
    inline: true,
    between,
    lines: [...marks, ...(record.members.length === 0 ? [noMembers(record, t)] : lines)],
  });
  if (view.names === 'off' || view.members === 'folded') {
    const counts = groupsOf(record.members, t).map((group) =>
      groupHeading(group, record.members, t).replaceAll(' ', '\u00a0'),
    );
    const names = view.names === 'off' ? [] : foldedMembers(record, live, t);
    return section([joinParts(...counts), ...names], '\n');
  }
  return section(memberLines(record.members, { characters: left(marks), between: BETWEEN }, t), BETWEEN);
}

/** Returns the number of characters left below a column's marks. */
function left(marks: readonly string[]): number {
  return marks.reduce((room, line) => room - line.length - BETWEEN.length, COLUMN);
}

/** Gives the time of a part that is older than the rest. Not "how long ago": that would change every minute. */
function mark({ isStale, asOf }: Judged<unknown>, t: Translator): readonly string[] {
  return isStale ? [t('board.oldPart', { date: formatMoment(asOf, 'time', t) })] : [];
}
