import type { TextKey, Translator } from '../../i18n/translator.ts';
import type { Profile } from '../../service/models/profile.ts';
import type { StatName, Stats } from '../../service/models/stats.ts';
import { fact, joined } from '../kit/lines.ts';
import { figureTable, written } from './figure-table.ts';
import { earnedByHour } from './rates.ts';

/** Money that came in and went out for the same thing. */
const flows = [
  ['record.money.driving', 'driving_money_plus', 'driving_money_minus'],
  ['record.money.drivers', 'received_money', 'sent_money'],
  ['record.money.fines', 'received_fines', 'paid_fines'],
  ['record.money.cameras', null, 'paid_radar_fines'],
  ['record.money.rentals', null, 'paid_for_renting'],
  ['record.money.refunds', 'earned_refunds', null],
  ['record.money.compensation', 'received_compensation', 'paid_compensation'],
  ['record.money.donations', 'received_donation', 'paid_donation'],
] as const satisfies readonly (readonly [TextKey, StatName | null, StatName | null])[];

/** What a driver has, what an hour brings, and what came in and went out; empty where nothing is reported. */
export function moneyLines(
  { money, stats }: Pick<Profile, 'money' | 'stats'>,
  t: Translator,
): readonly string[] {
  const known = stats?.known ?? {};
  const earned = earnedByHour(known);
  const owned = joined(
    ...fact(t('profile.money'), money === null ? null : t.number(money)),
    ...fact(t('stat.net_value'), written(known.net_value, t.number)),
    ...fact(t('compare.earned'), earned === null ? null : t.number(earned)),
  );
  return [...(owned === '' ? [] : [owned]), ...moneyTable(known, t)];
}

/** What came in and went out, for the same thing beside each other. */
export function moneyTable(known: Stats['known'], t: Translator): readonly string[] {
  const amount = (name: StatName | null) => (name === null ? null : written(known[name], t.number));
  return figureTable(
    [t('record.earnings'), t('record.spending')],
    flows.map(([label, plus, minus]) => [label, amount(plus), amount(minus)]),
    t,
  );
}
