import { sumBy } from '../../base/sum-by.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Item } from '../../service/models/item.ts';
import { escapeGameText } from '../../text/names.ts';
import { conditionBar, conditionText } from './bar.ts';
import { fitLines } from './fit-lines.ts';
import { keepBracketsTogether, keepTogether } from './lines.ts';

/** The kinds of upgrades and properties that the service documents. */
const kinds = ['ramp', 'winch', 'radar_warner', 'garage', 'locator'] as const;

/** The service's name for it, else ours, else its kind as written. */
export function itemName({ name, type }: Item, t: Translator): string {
  const kind = kinds.find((known) => known === type);
  const ours = kind === undefined ? escapeGameText((type ?? '').replaceAll('_', ' ')) : t(`kind.${kind}`);
  return escapeGameText(name ?? '') || ours || t('kind.unnamed');
}

/** "**Garage** ▰▰▰▱▱▱▱▱▱▱ 33%". */
export function itemLine(item: Item, t: Translator): string {
  const name = `**${itemName(item, t)}**`;
  return item.condition === null ? name : `${name} ${conditionBar(item.condition, t)}`;
}

/** "worth 123,456" of all together; null where one does not report its value: a part of a sum reads like all of it. */
export function worthOf(items: readonly Item[], t: Translator): string | null {
  const worth = sumBy(items, ({ value }) => value ?? Number.NaN);
  return worth > 0 ? keepTogether(t('property.worth', { amount: worth })) : null;
}

/** Kinds shown in a line; more than any car has. */
const KINDS = { entries: 4, between: ' · ' };

/** "3 × Winch (worst 44%) · Ramp 99%": the upgrades of one car or a whole garage, most frequent kind first. Empty for none. */
export function builtIn(upgrades: readonly Item[], t: Translator): string {
  const kinds = [...Map.groupBy(upgrades, (upgrade) => itemName(upgrade, t))];
  const each = kinds
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([name, all]) => {
      const conditions = all.flatMap(({ condition }) => condition ?? []);
      const counted = all.length === 1 ? name : t('garage.several', { n: all.length, name });
      if (conditions.length === 0) return counted;
      const worst = conditionText(Math.min(...conditions), t);
      return all.length === 1
        ? `${counted} ${worst}`
        : keepBracketsTogether(t('garage.fromCondition', { upgrade: counted, worst }));
    });
  return fitLines(each, KINDS, t);
}
