import type { BoardOptions, ListedBoard } from '../../../src/cards/board/board.ts';
import { rightNames } from '../../../src/cards/board/right-name.ts';
import { buttonRow, type Card, createCard, menuRow } from '../../../src/cards/kit/card.ts';
import type { CustomId } from '../../../src/cards/kit/custom-id.ts';
import { compact, joinParts } from '../../../src/cards/kit/lines.ts';
import { serverName } from '../../../src/cards/servers/server-lines.ts';
import { formatTimestamp } from '../../../src/i18n/timestamp.ts';
import type { Translator } from '../../../src/i18n/translator.ts';

/** Boards listed; the embed says how many more there are. */
const SHOWN = 10;

/**
 * A guild's boards: live, stale or paused and why, last edit, last errors. `lost`: channels with the message of a board that
 * the store knows no more.
 */
export function boardListCard(
  boards: readonly ListedBoard[],
  lost: readonly string[],
  nameOfChannel: NameOfChannel,
  t: Translator,
): Card {
  const shown = boards.slice(0, SHOWN).map((board) => boardLines(board, t));
  const rest = boards.length - shown.length;
  const lead = [
    boards.length === 0 && lost.length === 0 ? t('board.list.none') : null,
    lost.length === 0 ? null : t('board.list.lost', { channels: lost.map((id) => `<#${id}>`).join(' ') }),
    rest > 0 ? t('card.more', { n: rest }) : null,
  ];
  // An empty line between two boards.
  const list = shown.flatMap((lines, at) => [...(at === 0 ? [] : ['']), ...lines]);
  const drop = { command: 'board', action: 'drop', subject: '', label: t('board.list.drop') };
  const adopt = { command: 'board', action: 'adopt', subject: '', label: t('board.list.adopt') };
  const components = compact(
    boards.length === 0
      ? null
      : boardRow(boards, { command: 'board', action: 'one', subject: '' }, nameOfChannel, t),
    boards.some(({ paused }) => paused?.why === 'channel') ? buttonRow(drop) : null,
    lost.length === 0 ? null : buttonRow(adopt),
  );
  return createCard({ title: t('board.list.title'), lead, list, components }, t);
}

/** A board of the list, with buttons for what can be done with it. `edit`: the id of the button that opens its window. */
export function boardCard(board: ListedBoard, edit: CustomId, t: Translator): Card {
  const id = { command: 'board', subject: board.settings.channelId };
  const isPaused = board.paused?.why === 'unwanted';
  const row = buttonRow(
    { ...edit, label: t('card.change') },
    { ...id, action: 'test', label: t('card.test') },
    ...(isPaused ? [{ ...id, action: 'resume', label: t('card.resume') }] : []),
    { ...id, action: 'remove', label: t('card.remove'), danger: true },
    { ...id, action: 'list', subject: '', label: t('card.back') },
  );
  const list = boardLines(board, t);
  return createCard({ title: t('board.list.title'), lead: [], list, components: [row] }, t);
}

type NameOfChannel = (channelId: string) => string | null;

/** Returns a menu that asks which board is meant. */
export function boardMenu(
  boards: readonly ListedBoard[],
  id: CustomId,
  nameOfChannel: NameOfChannel,
  t: Translator,
) {
  return { content: t('board.which'), components: [boardRow(boards, id, nameOfChannel, t)] };
}

/** A menu of boards by the names of their channels; a server has at most 20 boards. */
function boardRow(boards: readonly ListedBoard[], id: CustomId, nameOfChannel: NameOfChannel, t: Translator) {
  const choices = boards.map(({ settings: { channelId, options } }) => ({
    label: `#${nameOfChannel(channelId) ?? channelId}`,
    description: shownBy(options, t),
    value: channelId,
  }));
  return menuRow(id, t('board.choose'), choices);
}

/** "One, Two · members folded · Deutsch". */
export function shownBy(options: BoardOptions, t: Translator): string {
  const { servers, members, names, language } = options;
  return joinParts(
    servers === null ? t('board.shows.servers') : servers.map((name) => serverName(name, t)).join(', '),
    t(`board.shows.members.${members}`),
    members === 'off' || names === 'on' ? null : t('board.shows.noNames'),
    language === null ? null : t(`language.${language}`),
  );
}

function boardLines(board: ListedBoard, t: Translator): readonly string[] {
  const { settings, mode, paused, lastEdit, errors } = board;
  const edited = formatTimestamp(lastEdit, 'relative');
  const state = joinParts(
    t(paused === null ? `board.mode.${mode}` : `board.paused.${paused.why}`),
    edited === null ? null : t('board.list.edited', { ago: edited }),
  );
  const missing = rightNames(paused?.missing ?? [], t);
  return compact(
    `<#${settings.channelId}>`,
    state,
    `-# ${shownBy(settings.options, t)}`,
    missing === '' ? null : t('board.list.missing', { rights: missing }),
    // Small, with the code by which its cause can be looked up.
    ...errors.toReversed().map(({ at, what, code }) => {
      const trouble = t(`board.trouble.${what}`);
      return `-# ${joinParts(formatTimestamp(at, 'relative'), trouble, code === null ? null : `\`${code}\``)}`;
    }),
  );
}
