import { timestamp } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Answer } from '../../service/models/dated.ts';
import type { Figures, ProfileReading, TopRow } from '../../service/models/history.ts';
import type { Profile } from '../../service/models/profile.ts';
import { joined, present } from '../kit/lines.ts';

/** By the service's names; money is beside them. */
const compared = [
  'chases_won_cop',
  'chases_won_robber',
  'driven_distance',
  'gaming_time_total',
  'money',
] as const;

/** What a profile is compared with. */
export interface ProfilePast {
  readonly earlier: ProfileReading | null;
  /** By time online in the last seven days. */
  readonly online: { readonly rows: readonly Pick<TopRow, 'rank' | 'driver'>[] };
}

/** What has been added since the earlier reading, and the rank among those seen; empty where nothing is known. */
export function gains(
  { record, asOf }: Pick<Answer<Profile>, 'record' | 'asOf'>,
  { earlier, online }: ProfilePast,
  t: Translator,
): readonly string[] {
  // A record from before may be the earlier reading itself, which is kept to the second.
  const isLater = earlier !== null && asOf - earlier.at >= 1000;
  return present(isLater ? changes(record, earlier, t) : null, rank(record.username, online, t));
}

function changes({ stats, money }: Profile, { at, figures: before }: ProfileReading, t: Translator) {
  const date = timestamp(at, 'day');
  if (date === null) return null;
  const now: Figures = { ...stats?.known, ...(money === null ? {} : { money }) };
  const known = new Map(
    compared.flatMap((name) => {
      const [earlier, later] = [before[name], now[name]];
      return earlier === undefined || later === undefined ? [] : [[name, later - earlier] as const];
    }),
  );
  const gain = (...names: readonly (typeof compared)[number][]): number =>
    names.reduce((sum, name) => sum + (known.get(name) ?? 0), 0);
  // In both roles, or not at all: a part of the sum reads like all of it.
  const isWhole = known.has('chases_won_cop') && known.has('chases_won_robber');
  const chases = isWhole ? gain('chases_won_cop', 'chases_won_robber') : 0;
  const [distance, online, earned] = [gain('driven_distance'), gain('gaming_time_total'), gain('money')];
  const signed = `${earned < 0 ? '−' : '+'}${t.number(Math.abs(earned))}`;
  const parts = joined(
    distance > 0 ? `+${t.distance(distance)}` : null,
    online > 0 ? t('gains.online', { duration: t.duration(online) }) : null,
    chases > 0 ? t('gains.chases', { count: chases }) : null,
    earned === 0 ? null : t('gains.money', { amount: signed }),
  );
  if (parts !== '') return t('gains.since', { gains: parts, date });
  // A figure that became less, or is not reported any more, is no gain, but not the same either.
  const isSame = known.size > 0 && [...known.values()].every((gained) => gained === 0);
  return isSame ? t('gains.none', { date }) : null;
}

function rank(username: string, { rows }: ProfilePast['online'], t: Translator): string | null {
  const own = rows.find(({ driver }) => driver.toLowerCase() === username.toLowerCase());
  return own === undefined ? null : t('gains.rank', { rank: own.rank, count: rows.length });
}
