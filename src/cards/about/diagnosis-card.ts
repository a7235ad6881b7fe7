import type { BoardAccess, Diagnosis, Source } from '../../app/health.ts';
import { timestamp } from '../../i18n/timestamp.ts';
import type { WordKey, Words } from '../../i18n/translator.ts';
import { budgetState } from './budget-card.ts';
import type { Card } from '../kit/card.ts';
import { embed, type Section } from '../kit/embed.ts';
import { fact, joined, named } from '../kit/lines.ts';
import { rightName } from '../board/right-name.ts';

/** What the sources are called; the live files by their servers. */
const sources: Readonly<Record<string, WordKey>> = {
  overview: 'diagnose.source.overview',
  'chat-status': 'diagnose.source.chat-status',
  profile: 'diagnose.source.profile',
  car: 'diagnose.source.car',
  options: 'diagnose.source.options',
};

/** How the bot is doing. `now`: unix milliseconds. */
export function diagnosisCard(diagnosis: Diagnosis, now: number, words: Words): Card {
  const { version, startedAt, latencyMs } = diagnosis;
  const lead = [
    ...fact(words.text('diagnose.version'), version),
    ...fact(words.text('diagnose.started'), moment(startedAt, words)),
    ...fact(
      words.text('diagnose.latency'),
      latencyMs === null
        ? words.text('diagnose.unmeasured')
        : words.text('diagnose.milliseconds', { n: Math.round(latencyMs) }),
    ),
  ];
  return {
    embeds: [
      embed({ title: words.text('diagnose.title'), lead, sections: sections(diagnosis, now, words) }, words),
    ],
    components: [],
  };
}

function sections(diagnosis: Diagnosis, now: number, words: Words): readonly Section[] {
  const { boards, bugs, budget, cache } = diagnosis;
  return [
    {
      name: words.text('diagnose.boards'),
      lines:
        boards.length === 0
          ? [words.text('diagnose.noBoards')]
          : boards.map(({ channelId, access }) => `<#${channelId}> ${accessWords(access, words)}`),
    },
    {
      name: words.text('diagnose.sources'),
      lines: diagnosis.sources.map((source) => sourceLine(source, words)),
    },
    {
      name: words.text('diagnose.budget'),
      lines: [budget === null ? words.text('budget.away') : budgetState(budget, now, words)],
    },
    {
      name: words.text('diagnose.cache'),
      lines: [
        cache.asked === 0
          ? words.text('diagnose.nothingAsked')
          : words.text('diagnose.hits', {
              percent: words.percent(cache.kept / cache.asked),
              count: cache.asked,
            }),
      ],
    },
    {
      name: words.text('diagnose.errors'),
      lines:
        bugs.length === 0
          ? [words.text('diagnose.noErrors')]
          : bugs.map(({ id, at, command, kind }) =>
              joined(`\`${id}\``, moment(at, words), `/${named(command)}`, named(kind)),
            ),
    },
  ];
}

function accessWords(access: BoardAccess, words: Words): string {
  if (access.kind !== 'missing') return words.text(`diagnose.access.${access.kind}`);
  const missing = access.rights.map((right) => rightName(right, words));
  return words.text('diagnose.access.missing', { rights: missing.join(', ') });
}

/** "🟢 **Profiles** 2 minutes ago", and what went wrong last. */
function sourceLine({ name, goodAsOf, lastFault }: Source, words: Words): string {
  const good = goodAsOf === null ? words.text('diagnose.never') : moment(goodAsOf, words);
  const failed =
    lastFault === null
      ? null
      : words.text('diagnose.lastFault', {
          fault: words.text(`diagnose.fault.${lastFault.fault}`),
          when: moment(lastFault.at, words),
        });
  return joined(`${sign(goodAsOf, lastFault)} **${sourceName(name, words)}** ${good}`, failed);
}

function sign(goodAsOf: number | null, lastFault: Source['lastFault']): string {
  if (lastFault !== null && lastFault.at > (goodAsOf ?? 0)) return '🔴';
  return goodAsOf === null ? '⚪' : '🟢';
}

function sourceName(name: string, words: Words): string {
  const key = sources[name];
  if (key !== undefined) return words.text(key);
  const [, server = name] = name.split('/');
  return words.text('diagnose.source.live', { server: named(server) });
}

/** A live file says itself of when it is, and may say anything. */
function moment(at: number, words: Words): string {
  return timestamp(at, 'relative') ?? words.text('card.momentUnknown');
}
