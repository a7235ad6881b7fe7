import type { BoardAccess, Diagnosis, Source } from '../../app/health.ts';
import { timestamp } from '../../i18n/timestamp.ts';
import type { TextKey, Translator } from '../../i18n/translator.ts';
import { rightName } from '../board/right-name.ts';
import type { Card } from '../kit/card.ts';
import { embed, type Section } from '../kit/embed.ts';
import { fact, joined, named } from '../kit/lines.ts';
import { budgetState } from './budget-card.ts';

/** What the sources are called; the live files by their servers. */
const sources: Readonly<Record<string, TextKey>> = {
  overview: 'diagnose.source.overview',
  'chat-status': 'diagnose.source.chat-status',
  profile: 'diagnose.source.profile',
  car: 'diagnose.source.car',
  options: 'diagnose.source.options',
};

/** How the bot is doing. `now`: unix milliseconds. */
export function diagnosisCard(diagnosis: Diagnosis, now: number, t: Translator): Card {
  const { version, startedAt, latencyMs } = diagnosis;
  const lead = [
    ...fact(t('diagnose.version'), version),
    ...fact(t('diagnose.started'), moment(startedAt, t)),
    ...fact(
      t('diagnose.latency'),
      latencyMs === null
        ? t('diagnose.unmeasured')
        : t('diagnose.milliseconds', { n: Math.round(latencyMs) }),
    ),
  ];
  return {
    embeds: [embed({ title: t('diagnose.title'), lead, sections: sections(diagnosis, now, t) }, t)],
    components: [],
  };
}

function sections(diagnosis: Diagnosis, now: number, t: Translator): readonly Section[] {
  const { boards, bugs, budget, cache } = diagnosis;
  return [
    {
      name: t('diagnose.boards'),
      lines:
        boards.length === 0
          ? [t('diagnose.noBoards')]
          : boards.map(({ channelId, access }) => `<#${channelId}> ${accessWords(access, t)}`),
    },
    {
      name: t('diagnose.sources'),
      lines: diagnosis.sources.map((source) => sourceLine(source, t)),
    },
    {
      name: t('diagnose.budget'),
      lines: [budget === null ? t('budget.away') : budgetState(budget, now, t)],
    },
    {
      name: t('diagnose.cache'),
      lines: [
        cache.asked === 0
          ? t('diagnose.nothingAsked')
          : t('diagnose.hits', {
              percent: t.percent(cache.kept / cache.asked),
              count: cache.asked,
            }),
      ],
    },
    {
      name: t('diagnose.errors'),
      lines:
        bugs.length === 0
          ? [t('diagnose.noErrors')]
          : bugs.map(({ id, at, command, kind }) =>
              joined(`\`${id}\``, moment(at, t), `/${named(command)}`, named(kind)),
            ),
    },
  ];
}

function accessWords(access: BoardAccess, t: Translator): string {
  if (access.kind !== 'missing') return t(`diagnose.access.${access.kind}`);
  const missing = access.rights.map((right) => rightName(right, t));
  return t('diagnose.access.missing', { rights: missing.join(', ') });
}

/** "🟢 **Profiles** 2 minutes ago", and what went wrong last. */
function sourceLine({ name, goodAsOf, lastFault }: Source, t: Translator): string {
  const good = goodAsOf === null ? t('diagnose.never') : moment(goodAsOf, t);
  const failed =
    lastFault === null
      ? null
      : t('diagnose.lastFault', {
          fault: t(`diagnose.fault.${lastFault.fault}`),
          when: moment(lastFault.at, t),
        });
  return joined(`${sign(goodAsOf, lastFault)} **${sourceName(name, t)}** ${good}`, failed);
}

function sign(goodAsOf: number | null, lastFault: Source['lastFault']): string {
  if (lastFault !== null && lastFault.at > (goodAsOf ?? 0)) return '🔴';
  return goodAsOf === null ? '⚪' : '🟢';
}

function sourceName(name: string, t: Translator): string {
  const key = sources[name];
  if (key !== undefined) return t(key);
  const [, server = name] = name.split('/');
  return t('diagnose.source.live', { server: named(server) });
}

/** A live file says itself of when it is, and may say anything. */
function moment(at: number, t: Translator): string {
  return timestamp(at, 'relative') ?? t('card.momentUnknown');
}
