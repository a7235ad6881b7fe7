import { MAX_CLOCK_SKEW_MS } from '../../../src/base/clock.ts';
import { SECOND } from '../../../src/base/duration.ts';
import type { Access } from '../../../src/cards/board/board.ts';
import { rightNames } from '../../../src/cards/board/right-name.ts';
import { type Card, createCard, type Section } from '../../../src/cards/kit/card.ts';
import { joinParts, labelledFact } from '../../../src/cards/kit/lines.ts';
import { serverName } from '../../../src/cards/servers/server-lines.ts';
import type { Diagnosis } from '../../../src/command-kit/diagnosis.ts';
import { formatMoment } from '../../../src/i18n/timestamp.ts';
import type { Translator } from '../../../src/i18n/translator.ts';
import type { LiveServer } from '../../../src/service/models/live-status.ts';
import type { SourceName, SourceStatistics } from '../../../src/service/models/source-statistics.ts';
import { escapeMarkdown } from '../../../src/text/names.ts';
import { budgetState } from './budget-card.ts';

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
