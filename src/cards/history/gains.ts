import { sumBy } from '../../base/sum-by.ts';
import type { BestRank, Figures, ProfileReading } from '../../community/history/history.ts';
import { formatMoment } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Answer } from '../../service/models/dated.ts';
import type { Profile } from '../../service/models/profile.ts';
import { compact, joinParts } from '../kit/lines.ts';

/** Compared figures by the service's names; money is a field of its own. */
const compared = [
  'chases_won_cop',
  'chases_won_robber',
  'driven_distance',
  'gaming_time_total',
  'money',
] as const;

/** The earlier figures that a profile is compared with. */
export interface ProfilePast {
  readonly earlier: ProfileReading | null;
  readonly best: BestRank | null;
}

/** The gains since the earlier reading, and the rank among drivers seen; empty where nothing is known. */
export function gainLines(
  { record, asOf }: Pick<Answer<Profile>, 'record' | 'asOf'>,
  { earlier, best }: ProfilePast,
  t: Translator,
): readonly string[] {
  const gained = gainsSince({ record, asOf }, earlier);
  return compact(gained === null ? null : gainsText(gained, t), best && rankText(best, t));
}

/**
 * The gains since the earlier reading, in metres, seconds, chases won and money; 0 for a figure that one of the two
 * readings lacks. Null: there is nothing to compare.
 */
export function gainsSince(
  { record: { stats, money }, asOf }: Pick<Answer<Profile>, 'record' | 'asOf'>,
  earlier: ProfileReading | null,
) {
  // A record from before may be the earlier reading itself, which is kept to the second.
  if (earlier === null || asOf - earlier.at < 1000) return null;
  const earlierFigures = earlier.figures;
  const now: Figures = { ...stats?.known, ...(money === null ? {} : { money }) };
  const gainsByName = new Map(
    compared.flatMap((name) => {
      const [earlier, later] = [earlierFigures[name], now[name]];
      return earlier === undefined || later === undefined ? [] : [[name, later - earlier] as const];
    }),
  );
  const gain = (...names: readonly (typeof compared)[number][]): number =>
    sumBy(names, (name) => gainsByName.get(name) ?? 0);
  // In both roles, or not at all: a part of the sum reads like all of it.
  const isWhole = gainsByName.has('chases_won_cop') && gainsByName.has('chases_won_robber');
  return {
    since: earlier.at,
    distance: gain('driven_distance'),
    online: gain('gaming_time_total'),
    chases: isWhole ? gain('chases_won_cop', 'chases_won_robber') : 0,
    earned: gain('money'),
    // A figure that became less, or is not reported any more, is no gain, but not the same either.
    isSame: gainsByName.size > 0 && [...gainsByName.values()].every((gained) => gained === 0),
  };
}

function gainsText(gained: NonNullable<ReturnType<typeof gainsSince>>, t: Translator): string | null {
  const { distance, online, chases, earned } = gained;
  const date = formatMoment(gained.since, 'date', t);
  const signed = `${earned < 0 ? '−' : '+'}${t.number(Math.abs(earned))}`;
  const parts = joinParts(
    distance > 0 ? `+${t.distance(distance)}` : null,
    online > 0 ? `+${t.duration(online)}` : null,
    chases > 0 ? t('gains.chases', { count: chases }) : null,
    earned === 0 ? null : t('gains.money', { amount: signed }),
  );
  if (parts !== '') return t('gains.since', { gains: parts, date });
  return gained.isSame ? t('gains.none', { date }) : null;
}

/** "#3 of 57 by distance · 7 days". */
export function rankText(best: BestRank, t: Translator): string {
  return joinParts(placeText(best, t), t('top.span.week'));
}

/** Without the span. */
export function placeText({ subject, rank, count }: BestRank, t: Translator): string {
  return t(`gains.rank.${subject}`, { place: t('gains.place', { rank, count }) });
}
