import type { Language } from '../../i18n/languages.ts';
import { timestamp } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Card } from '../kit/card.ts';
import { embed, type Section } from '../kit/embed.ts';
import { joined } from '../kit/lines.ts';
import { serverName } from '../servers/server-lines.ts';
import type { BoardView } from './board-view.ts';
import { rightName } from './right-name.ts';

/** What a board shows, and in which language; null: that of the server. */
export interface ListedOptions extends BoardView {
  readonly language: Language | null;
}

/** One board's status. */
export interface ListedBoardStatus {
  readonly settings: { readonly channelId: string; readonly options: ListedOptions };
  readonly mode: 'live' | 'partly-stale' | 'stale' | 'no-data' | 'paused' | 'starting';
  readonly paused: {
    readonly why: 'rights' | 'channel' | 'unwanted';
    readonly missing: readonly string[];
  } | null;
  /** Unix milliseconds. */
  readonly lastEdit: number | null;
  /** Oldest first; `at` in unix milliseconds. */
  readonly errors: readonly { readonly at: number; readonly what: string }[];
}

/** Boards listed; the embed says how many more there are. */
const SHOWN = 10;

/** A guild's boards: live, stale or paused and why, last edit, last errors. */
export function boardListCard(boards: readonly ListedBoardStatus[], t: Translator): Card {
  const sections = boards.slice(0, SHOWN).map((board) => section(board, t));
  const rest = boards.length - sections.length;
  const lead = [
    ...(boards.length === 0 ? [t('board.list.none')] : []),
    ...(rest > 0 ? [t('card.more', { n: rest })] : []),
  ];
  return {
    embeds: [embed({ title: t('board.list.title'), lead, sections }, t)],
    components: [],
  };
}

/** "One, Two · members folded · Deutsch". */
export function shownBy({ servers, members, names, language }: ListedOptions, t: Translator): string {
  return joined(
    servers === null ? t('board.shows.servers') : servers.map((name) => serverName(name, t)).join(', '),
    t(`board.shows.members.${members}`),
    names === 'off' && members !== 'off' ? t('board.shows.noNames') : null,
    language === null ? null : t(`settings.language.${language}`),
  );
}

function section({ settings, mode, paused, lastEdit, errors }: ListedBoardStatus, t: Translator): Section {
  const edited = lastEdit === null ? null : timestamp(lastEdit, 'relative');
  const state = joined(
    t(paused === null ? `board.mode.${mode}` : `board.paused.${paused.why}`),
    edited === null ? null : t('board.list.edited', { when: edited }),
  );
  const missing = (paused?.missing ?? []).map((right) => rightName(right, t)).join(', ');
  const lines = [
    `<#${settings.channelId}>`,
    state,
    `-# ${shownBy(settings.options, t)}`,
    ...(missing === '' ? [] : [t('board.list.missing', { rights: missing })]),
    ...errors.toReversed().map(({ at, what }) => `-# ${joined(timestamp(at, 'relative'), `\`${what}\``)}`),
  ];
  return { name: '\u200b', lines };
}
