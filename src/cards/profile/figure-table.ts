import type { TextKey, Translator } from '../../i18n/translator.ts';
import type { KnownStats, StatName } from '../../service/models/stats.ts';
import { tableBlock } from '../kit/block.ts';
import { formatOptional } from '../kit/lines.ts';

/** Metres in the reader's unit, which stands above or beside the figure: 123,457. */
export function distanceCell(metres: number, t: Translator): string {
  const value = metres / t.distanceUnit.metres;
  return t.number(value, Math.abs(value) < 100 ? 1 : 0);
}

/** Seconds as "45 min", "1.5 h" or "1,111 h": never as wide as hours with minutes. */
export function durationCell(seconds: number, t: Translator): string {
  const hours = Math.round(seconds / 360) / 10;
  const isExact = Math.abs(hours) < 1 || Math.abs(hours) >= 100;
  return isExact ? t.duration(seconds) : t('duration.hours', { hours: t.number(hours, 1) });
}

/** Empty where no row has a figure. */
export function figureTable(
  headings: readonly [string, string],
  rows: readonly (readonly [label: TextKey, first: string | null, second: string | null])[],
  t: Translator,
): readonly string[] {
  const reported = rows.filter(([, first, second]) => first !== null || second !== null);
  if (reported.length === 0) return [];
  const [first, second] = headings;
  return [
    tableBlock(
      [
        { heading: '', align: 'left', most: 13 },
        { heading: first, align: 'right', most: 12 },
        { heading: second, align: 'right', most: 11 },
      ],
      reported.map(([label, ...figures]) => [t(label), ...figures]),
    ),
  ];
}

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

/** Income and expenses, for the same thing beside each other. */
export function moneyTable(knownStats: KnownStats, t: Translator): readonly string[] {
  const amount = (name: StatName | null) =>
    name === null ? null : formatOptional(knownStats[name], t.number);
  return figureTable(
    [t('record.earnings'), t('record.spending')],
    flows.map(([label, plus, minus]) => [label, amount(plus), amount(minus)]),
    t,
  );
}
