import type { Translator } from '../../i18n/translator.ts';
import type { Answer } from '../../service/models/dated.ts';
import type { Item } from '../../service/models/item.ts';
import type { Profile } from '../../service/models/profile.ts';
import { bar } from '../kit/bar.ts';
import { each } from '../kit/fit-lines.ts';
import { itemName } from '../kit/item-line.ts';
import { joined } from '../kit/lines.ts';
import type { Place } from './profile-action.ts';
import type { ViewContent } from './view-content.ts';

/** A driver's properties: how many and what they are worth, then each, kind by kind and the worst of a kind first. */
export function properties(
  { record: { properties: owned } }: Answer<Profile>,
  _place: Place,
  t: Translator,
): ViewContent {
  const heading = `**${t('profile.view.properties')}**`;
  if (owned === null) return { lead: [heading, t('property.missing')] };
  if (owned.length === 0) return { lead: [heading, t('property.none')] };
  const worth = owned.reduce((sum, { value }) => sum + (value ?? 0), 0);
  const count = `**${t('property.count', { count: owned.length })}**`;
  return {
    wide: true,
    lead: [joined(count, worth === 0 ? null : t('property.worth', { amount: worth }))],
    list: each(ordered(owned, t), (property) => propertyLine(property, t)),
  };
}

/** "Garage ▰▰▰▱ 33.4% · 89,380": the sum above says what the last figure is. In one line of a phone. */
function propertyLine(property: Item, t: Translator): string {
  const { condition, value } = property;
  const name = `**${itemName(property, t)}**`;
  return joined(
    condition === null ? name : `${name} ${bar(condition, t)}`,
    // The service sends 0 for things without a price.
    value === null || value === 0 ? null : t.number(value),
  );
}

/** Kinds in the order in which they come first; a condition that is not reported comes last. */
function ordered(owned: readonly Item[], t: Translator): readonly Item[] {
  const kinds = Map.groupBy(owned, (property) => itemName(property, t));
  return [...kinds.values()].flatMap((kind) =>
    kind.toSorted((a, b) => (a.condition ?? Infinity) - (b.condition ?? Infinity) || 0),
  );
}
