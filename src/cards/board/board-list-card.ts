import { formatTimestamp } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { BoardOptions, ListedBoard, PlaceProblem } from '../../service/models/board.ts';
import { cutText } from '../../text/cut.ts';
import { buttonRow, type Card, createCard, menuRow } from '../kit/card.ts';
import type { CustomId } from '../kit/custom-id.ts';
import { compact, joinParts } from '../kit/lines.ts';
import { serverName } from '../servers/server-lines.ts';
import { rightNames } from './right-name.ts';

/** Boards listed; the embed says how many more there are. */
const SHOWN = 10;

/**
 * A guild's boards: live, stale or paused and why, last edit, last errors. `lost`: channels with the message of a board that
 * the store knows no more.
 */
export function boardListCard(boards: readonly ListedBoard[], lost: readonly string[], t: Translator): Card {
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
    boards.some(({ paused }) => paused?.why === 'channel') ? buttonRow(drop) : null,
    lost.length === 0 ? null : buttonRow(adopt),
  );
  return createCard({ title: t('board.list.title'), lead, list, components }, t);
}

/** Characters of a choice's description, by Discord's limit. */
const DESCRIPTION = 100;

/** Returns a menu that asks which board is meant, by the names of their channels. A server has at most 20 boards. */
export function boardMenu(
  boards: readonly ListedBoard[],
  id: CustomId,
  nameOfChannel: (channelId: string) => string | null,
  t: Translator,
) {
  const choices = boards.map(({ settings: { channelId, options } }) => ({
    label: `#${nameOfChannel(channelId) ?? channelId}`,
    // Menus do not show mentions.
    description: cutText(shownBy({ ...options, voice: null }, t), DESCRIPTION),
    value: channelId,
  }));
  return { content: t('board.which'), components: [menuRow(id, t('board.choose'), choices)] };
}

/** "One, Two · members folded · Deutsch". */
export function shownBy(options: BoardOptions, t: Translator): string {
  const { servers, members, names, topic, voice, language } = options;
  return joinParts(
    servers === null ? t('board.shows.servers') : servers.map((name) => serverName(name, t)).join(', '),
    t(`board.shows.members.${members}`),
    members === 'off' || names === 'on' ? null : t('board.shows.noNames'),
    topic === 'on' ? t('board.shows.topic') : null,
    voice === null ? null : t('board.shows.voice', { channel: `<#${voice}>` }),
    language === null ? null : t(`language.${language}`),
  );
}

/** The reasons why places besides the message stay empty, a line each. */
export function problemLines(
  { voice }: Pick<BoardOptions, 'voice'>,
  placeProblems: readonly PlaceProblem[],
  t: Translator,
): readonly string[] {
  return placeProblems.map((problem) => {
    if (!('rights' in problem))
      return t(problem.what === 'topic-full' ? 'board.list.topicFull' : 'board.list.voiceGone');
    const rights = rightNames(problem.rights, t);
    if (problem.what === 'topic') return t('board.list.topicMissing', { rights });
    return t('board.list.voiceMissing', { rights, channel: `<#${voice}>` });
  });
}

function boardLines(board: ListedBoard, t: Translator): readonly string[] {
  const { settings, mode, paused, placeProblems, lastEdit, errors } = board;
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
    ...problemLines(settings.options, placeProblems, t),
    missing === '' ? null : t('board.list.missing', { rights: missing }),
    // Small, with the code by which its cause can be looked up.
    ...errors.toReversed().map(({ at, what, code }) => {
      const trouble = t(`board.trouble.${what}`);
      return `-# ${joinParts(formatTimestamp(at, 'relative'), trouble, code === null ? null : `\`${code}\``)}`;
    }),
  );
}
