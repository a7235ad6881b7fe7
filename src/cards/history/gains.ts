import type { Figures, ProfileReading, TopList } from '../../history/history.ts';
import { timestamp } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Profile } from '../../service/models/profile.ts';
import type { Section } from '../kit/embed.ts';
import { joined } from '../kit/lines.ts';

/** What a profile is compared with. */
export interface ProfilePast {
  readonly earlier: ProfileReading | null;
  /** Time online in the last seven days. */
  readonly online: TopList;
}

/** What has been added since the earlier reading, and the rank among those seen; empty where nothing is known. */
export function gains(record: Profile, past: ProfilePast, t: Translator): readonly Section[] {
  const lines = [...changes(record, past.earlier, t), ...rank(record.username, past.online, t)];
  return lines.length === 0 ? [] : [{ name: t('gains.heading'), lines }];
}

function changes(
  { stats, money }: Profile,
  earlier: ProfileReading | null,
  t: Translator,
): readonly string[] {
  const when = earlier === null ? null : timestamp(earlier.at, 'day');
  if (earlier === null || when === null) return [];
  const now: Figures = { ...stats?.known, ...(money === null ? {} : { money }) };
  const gain = (...names: readonly (keyof Figures)[]): number => {
    const pairs = names.map((name) => [earlier.figures[name], now[name]] as const);
    return pairs.reduce(
      (sum, [before, after]) => (before === undefined || after === undefined ? sum : sum + after - before),
      0,
    );
  };
  const chases = gain('chases_won_cop', 'chases_won_robber');
  const [distance, online, earned] = [gain('driven_distance'), gain('gaming_time_total'), gain('money')];
  const signed = `${earned < 0 ? '−' : '+'}${t.number(Math.abs(earned))}`;
  const parts = joined(
    distance > 0 ? `+${t.distance(distance)}` : null,
    online > 0 ? t('gains.online', { duration: t.duration(online) }) : null,
    chases > 0 ? t('gains.chases', { count: chases }) : null,
    earned === 0 ? null : t('gains.money', { amount: signed }),
  );
  return [parts === '' ? t('gains.none', { when }) : t('gains.since', { gains: parts, when })];
}

function rank(username: string, { rows }: TopList, t: Translator): readonly string[] {
  const own = rows.find(({ driver }) => driver.toLowerCase() === username.toLowerCase());
  return own === undefined ? [] : [t('gains.rank', { rank: own.rank, count: rows.length })];
}
