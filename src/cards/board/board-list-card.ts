import { formatTimestamp } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { BoardOptions, ListedBoard, PlaceProblem } from '../../service/models/board.ts';
import { buttonRow, type Card, createCard, type Section } from '../kit/card.ts';
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
  const sections = boards.slice(0, SHOWN).map((board) => section(board, t));
  const rest = boards.length - sections.length;
  const lead = [
    boards.length === 0 && lost.length === 0 ? t('board.list.none') : null,
    lost.length === 0 ? null : t('board.list.lost', { channels: lost.map((id) => `<#${id}>`).join(' ') }),
    rest > 0 ? t('card.more', { n: rest }) : null,
  ];
  const drop = { command: 'board', action: 'drop', subject: '', label: t('board.list.drop') };
  const adopt = { command: 'board', action: 'adopt', subject: '', label: t('board.list.adopt') };
  const components = compact(
    boards.some(({ paused }) => paused?.why === 'channel') ? buttonRow(drop) : null,
    lost.length === 0 ? null : buttonRow(adopt),
  );
  return createCard({ title: t('board.list.title'), lead, sections, components }, t);
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
    language === null ? null : t(`settings.language.${language}`),
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

function section(board: ListedBoard, t: Translator): Section {
  const { settings, mode, paused, placeProblems, lastEdit, errors } = board;
  const edited = formatTimestamp(lastEdit, 'relative');
  const state = joinParts(
    t(paused === null ? `board.mode.${mode}` : `board.paused.${paused.why}`),
    edited === null ? null : t('board.list.edited', { ago: edited }),
  );
  const missing = rightNames(paused?.missing ?? [], t);
  const lines = compact(
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
  return { name: '\u200b', lines };
}
