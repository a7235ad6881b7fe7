import type { Content } from '../../../src/cards/kit/card.ts';
import { linePerRow } from '../../../src/cards/kit/fit-lines.ts';
import { itemLine, itemName, worthOf } from '../../../src/cards/kit/items.ts';
import { formatOptional, joinParts, labelledFact } from '../../../src/cards/kit/lines.ts';
import type { Translator } from '../../../src/i18n/translator.ts';
import type { Answer } from '../../../src/service/models/dated.ts';
import type { Item } from '../../../src/service/models/item.ts';
import type { Profile } from '../../../src/service/models/profile.ts';
import type { KnownStats } from '../../../src/service/models/stats.ts';
import { type FigureRow, figureTable } from './figure-table.ts';
import { earnedByHour } from './rates.ts';

/** A driver's money and where it came from, then each property, kind by kind and the worst of a kind first. */
export function propertiesView({ record }: Answer<Profile>, t: Translator): Omit<Content, 'title'> {
  const { properties: owned } = record;
  const money = moneyLines(record, t);
  if (owned === null) return { lead: [...money, t('property.missing')] };
  if (owned.length === 0) return { lead: [...money, t('property.none')] };
  const count = `**${t('property.count', { count: owned.length })}**`;
  return {
    lead: [...money, joinParts(count, worthOf(owned, t))],
    list: linePerRow(ordered(owned, t), (property) => propertyLine(property, t)),
  };
}

/** A driver's money, the income of an hour, and what came in and went out; empty where nothing is reported. */
function moneyLines({ money, stats }: Profile, t: Translator): readonly string[] {
  const knownStats = stats?.known ?? {};
  const owned = joinParts(
    labelledFact(t('profile.money'), formatOptional(money, t.number)),
    labelledFact(t('stat.net_value'), formatOptional(knownStats.net_value, t.number)),
    labelledFact(t('compare.earned'), formatOptional(earnedByHour(knownStats), t.number)),
  );
  return [...(owned === '' ? [] : [owned]), ...moneyTable(knownStats, t)];
}

/** Money that came in and went out for the same thing. */
const flows: readonly FigureRow[] = [
  ['record.money.driving', 'driving_money_plus', 'driving_money_minus'],
  ['record.money.drivers', 'received_money', 'sent_money'],
  ['record.money.fines', 'received_fines', 'paid_fines'],
  ['record.money.cameras', null, 'paid_radar_fines'],
  ['record.money.rentals', null, 'paid_for_renting'],
  ['record.money.refunds', 'earned_refunds', null],
  ['record.money.compensation', 'received_compensation', 'paid_compensation'],
  ['record.money.donations', 'received_donation', 'paid_donation'],
];

/** Income and expenses, for the same thing beside each other. */
export function moneyTable(known: KnownStats, t: Translator): readonly string[] {
  const columns = [
    { heading: t('record.earnings'), format: t.number },
    { heading: t('record.spending'), format: t.number },
  ];
  return figureTable(known, flows, columns, t);
}

/** "Garage ▰▰▰▱ 33.4% · 89,380": the sum above says what the last figure is. In one line of a phone. */
function propertyLine(property: Item, t: Translator): string {
  // The service sends 0 for things without a price.
  return joinParts(itemLine(property, t), property.value ? t.number(property.value) : null);
}

/** Kinds in the order in which they come first; a condition that is not reported comes last. */
function ordered(owned: readonly Item[], t: Translator): readonly Item[] {
  const kinds = Map.groupBy(owned, (property) => itemName(property, t));
  return [...kinds.values()].flatMap((kind) =>
    kind.toSorted((a, b) => (a.condition ?? Infinity) - (b.condition ?? Infinity) || 0),
  );
}
