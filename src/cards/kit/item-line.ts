import type { TextKey, Translator } from '../../i18n/translator.ts';
import type { Item } from '../../service/models/item.ts';
import { bar } from './bar.ts';
import { joined, said } from './lines.ts';

/** The kinds of upgrades and properties that the service documents. */
const kinds: ReadonlyMap<string, TextKey> = new Map([
  ['ramp', 'kind.ramp'],
  ['winch', 'kind.winch'],
  ['radar_warner', 'kind.radar_warner'],
  ['garage', 'kind.garage'],
  ['locator', 'kind.locator'],
]);

/** An upgrade or a property in one line: name, condition, value. */
export function itemLine(item: Item, t: Translator): string {
  return joined(
    `**${itemName(item, t)}**`,
    item.condition === null ? null : bar(item.condition, t),
    // The service sends 0 for things without a price.
    item.value === null || item.value === 0 ? null : t('property.worth', { amount: item.value }),
  );
}

/** The service's name for it, else ours, else its kind as written. */
export function itemName(item: Item, t: Translator): string {
  const type = item.type ?? '';
  const kind = kinds.get(type);
  const ours = kind === undefined ? said(type.replaceAll('_', ' ')) : t(kind);
  return said(item.name ?? '') || ours || t('kind.unnamed');
}

/** "worth 123,456" of all together; null where one does not report its value: a part of a sum reads like all of it. */
export function worthOf(items: readonly Item[], t: Translator): string | null {
  const worth = items.reduce((sum, { value }) => sum + (value ?? Number.NaN), 0);
  return worth > 0 ? t('property.worth', { amount: worth }) : null;
}
