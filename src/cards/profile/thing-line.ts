import type { TextKey, Translator } from '../../i18n/translator.ts';
import type { Property, Upgrade } from '../../service/models/models.ts';
import { bar } from '../kit/bar.ts';
import { joined, said } from '../kit/lines.ts';

/** The kinds of upgrades and properties that the interface names (§2.2). */
const kinds: ReadonlyMap<string, TextKey> = new Map([
  ['ramp', 'kind.ramp'],
  ['winch', 'kind.winch'],
  ['radar_warner', 'kind.radar_warner'],
  ['garage', 'kind.garage'],
  ['locator', 'kind.locator'],
]);

/** An upgrade or a property in one line: what it is, how it is, what it is worth. */
export function thingLine(thing: Upgrade | Property, t: Translator): string {
  return joined(
    `**${name(thing, t)}**`,
    thing.condition === null ? null : bar(thing.condition, t),
    // Worth nothing is what the service says of things without a price.
    thing.value === null || thing.value === 0 ? null : t('property.worth', { amount: thing.value }),
  );
}

/** As the service calls it, else as we do, else as its kind is written. */
function name(thing: Upgrade | Property, t: Translator): string {
  const kind = kinds.get(thing.type);
  const ours = kind === undefined ? said(thing.type.replaceAll('_', ' ')) : t(kind);
  return said(thing.name ?? '') || ours || t('kind.unnamed');
}
