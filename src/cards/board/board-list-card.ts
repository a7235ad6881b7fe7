import { timestamp } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Card } from '../kit/card.ts';
import { embed, type Section } from '../kit/embed.ts';
import { joined } from '../kit/lines.ts';
import { rightName } from './right-name.ts';

/** How one board stands. */
export interface BoardStanding {
  readonly settings: { readonly channelId: string };
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

/** More than anybody reads; the embed says how many there are beyond. */
const SHOWN = 10;

/** Every board of a guild: live, stale or paused and why, its last edit, its last errors. */
export function boardListCard(boards: readonly BoardStanding[], t: Translator): Card {
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

function section({ settings, mode, paused, lastEdit, errors }: BoardStanding, t: Translator): Section {
  const edited = lastEdit === null ? null : timestamp(lastEdit, 'relative');
  const state = joined(
    t(paused === null ? `board.mode.${mode}` : `board.paused.${paused.why}`),
    edited === null ? null : t('board.list.edited', { when: edited }),
  );
  const missing = (paused?.missing ?? []).map((right) => rightName(right, t)).join(', ');
  const lines = [
    `<#${settings.channelId}>`,
    state,
    ...(missing === '' ? [] : [t('board.list.missing', { rights: missing })]),
    ...errors.toReversed().map(({ at, what }) => `-# ${joined(timestamp(at, 'relative'), `\`${what}\``)}`),
  ];
  return { name: '\u200b', lines };
}
