import { MAX_CLOCK_SKEW_MS } from '../../base/clock.ts';
import { SECOND } from '../../base/duration.ts';
import { formatMoment } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Access, ListedBoard } from '../../service/models/board.ts';
import type { BudgetSnapshot } from '../../service/models/budget-snapshot.ts';
import type { LiveServer } from '../../service/models/live-status.ts';
import type { SourceName, SourceStatistics } from '../../service/models/source-statistics.ts';
import { rightNames } from '../board/right-name.ts';
import { type Card, createCard, type Section } from '../kit/card.ts';
import { escapeMarkdown, joinParts, labelledFact } from '../kit/lines.ts';
import { serverName } from '../servers/server-lines.ts';
import { budgetState } from './budget-card.ts';

/** A bug. Its message stays in the log, under this id. */
export interface Bug {
  readonly id: string;
  readonly command: string;
  /** The error's name, such as TypeError. */
  readonly kind: string;
  /** Unix milliseconds. */
  readonly at: number;
}

export interface Diagnosis {
  readonly version: string;
  /** Unix milliseconds. */
  readonly startedAt: number;
  /** Gateway latency in ms; null until it is measured. */
  readonly latencyMs: number | null;
  /** How far this machine's clock is ahead of Discord's, in ms; null while it is not known. */
  readonly clockSkewMs: number | null;
  readonly sources: readonly SourceStatistics[];
  /** Keyed calls since the start, and how many of them cost no request. */
  readonly cache: { readonly asked: number; readonly kept: number };
  /** Health of the store. */
  readonly store: { readonly saves: boolean; readonly hasHistory: boolean };
  /** The latest, newest first. */
  readonly bugs: readonly Bug[];
  /** Null while unknown. */
  readonly budget: BudgetSnapshot | null;
  /** Boards of one guild. */
  readonly boards: readonly ListedBoard[];
}

/** The bot's health. */
export function diagnosisCard(diagnosis: Diagnosis, t: Translator): Card {
  const { version, startedAt, latencyMs, clockSkewMs, store } = diagnosis;
  const lead = [
    store.saves ? null : t('diagnose.savesNothing'),
    store.hasHistory ? null : t('diagnose.withoutHistory'),
    clockSkewMs === null || Math.abs(clockSkewMs) <= MAX_CLOCK_SKEW_MS ? null : clockLine(clockSkewMs, t),
    labelledFact(t('diagnose.version'), version),
    labelledFact(t('diagnose.started'), formatMoment(startedAt, 'relative', t)),
    labelledFact(
      t('diagnose.latency'),
      latencyMs === null
        ? t('diagnose.unmeasured')
        : t('diagnose.milliseconds', { n: Math.round(latencyMs) }),
    ),
  ];
  return createCard({ title: t('diagnose.title'), lead, sections: sections(diagnosis, t) }, t);
}

function clockLine(skewMs: number, t: Translator): string {
  const span = t.duration(Math.abs(skewMs) / SECOND);
  return t(skewMs > 0 ? 'diagnose.clockAhead' : 'diagnose.clockBehind', { span });
}

function sections(diagnosis: Diagnosis, t: Translator): readonly Section[] {
  const { boards, bugs, budget, cache } = diagnosis;
  return [
    {
      name: t('diagnose.boards'),
      lines:
        boards.length === 0
          ? [t('diagnose.noBoards')]
          : boards.map(({ settings: { channelId }, access }) => `<#${channelId}> ${accessWords(access, t)}`),
    },
    {
      name: t('diagnose.sources'),
      lines: diagnosis.sources.map((source) => sourceLine(source, diagnosis.sources, t)),
    },
    {
      name: t('diagnose.budget'),
      lines: budget === null ? [t('budget.away')] : budgetState(budget, t),
    },
    {
      name: t('diagnose.cache'),
      lines: [
        cache.asked === 0
          ? t('diagnose.nothingAsked')
          : t('diagnose.hits', { percent: t.percent(cache.kept / cache.asked), count: cache.asked }),
      ],
    },
    {
      name: t('diagnose.errors'),
      lines:
        bugs.length === 0
          ? [t('diagnose.noErrors')]
          : bugs.map(({ id, at, command, kind }) =>
              joinParts(
                `\`${id}\``,
                formatMoment(at, 'relative', t),
                `/${escapeMarkdown(command)}`,
                escapeMarkdown(kind),
              ),
            ),
    },
  ];
}

function accessWords(access: Access, t: Translator): string {
  if (access.kind !== 'missing') return t(`diagnose.access.${access.kind}`);
  return t('diagnose.access.missing', { rights: rightNames(access.rights, t) });
}

/** "🟢 **Profiles** 2 minutes ago", and the last fault. */
function sourceLine(
  { name, goodAsOf, isWidgetOff, lastFault }: SourceStatistics,
  all: readonly SourceStatistics[],
  t: Translator,
): string {
  const isElsewhere = all.some((other) => isLiveFile(other.name) && other.goodAsOf !== null);
  if (lastFault?.isMissing === true && goodAsOf === null && isElsewhere)
    return joinParts(`⚪ **${sourceName(name, t)}**`, t('duty.noFile'));
  if (isWidgetOff === true) return joinParts(`⚪ **${sourceName(name, t)}**`, t('members.widgetOff'));
  const good = goodAsOf === null ? t('diagnose.never') : formatMoment(goodAsOf, 'relative', t);
  const failed =
    lastFault &&
    t('diagnose.lastFault', {
      fault: t(`diagnose.fault.${lastFault.fault}`),
      ago: formatMoment(lastFault.at, 'relative', t),
    });
  return joinParts(`${sign(goodAsOf, lastFault)} **${sourceName(name, t)}** ${good}`, failed);
}

function sign(goodAsOf: number | null, lastFault: SourceStatistics['lastFault']): string {
  if (lastFault !== null && lastFault.at > (goodAsOf ?? 0)) return '🔴';
  return goodAsOf === null ? '⚪' : '🟢';
}

const isLiveFile = (name: SourceName): name is `live/${LiveServer}` => name.startsWith('live/');

function sourceName(name: SourceName, t: Translator): string {
  if (!isLiveFile(name)) return t(`diagnose.source.${name}`);
  return t('diagnose.source.live', { server: serverName(name.slice('live/'.length), t) });
}
