import type { Property, Upgrade } from '../../service/models/models.ts';
import type { WordKey, Words } from '../../i18n/translator.ts';
import { bar } from '../kit/bar.ts';
import { joined, said } from '../kit/lines.ts';

/** The kinds of upgrades and properties that the interface names (§2.2). */
const kinds: ReadonlyMap<string, WordKey> = new Map([
  ['ramp', 'kind.ramp'],
  ['winch', 'kind.winch'],
  ['radar_warner', 'kind.radar_warner'],
  ['garage', 'kind.garage'],
  ['locator', 'kind.locator'],
]);

/** An upgrade or a property in one line: what it is, how it is, what it is worth. */
export function thingLine(thing: Upgrade | Property, words: Words): string {
  return joined(
    `**${name(thing, words)}**`,
    thing.condition === null ? null : bar(thing.condition, words),
    // Worth nothing is what the service says of things without a price.
    thing.value === null || thing.value === 0 ? null : words.text('property.worth', { amount: thing.value }),
  );
}

/** As the service calls it, else as we do, else as its kind is written. */
function name(thing: Upgrade | Property, words: Words): string {
  const kind = kinds.get(thing.type);
  const ours = kind === undefined ? said(thing.type.replaceAll('_', ' ')) : words.text(kind);
  return said(thing.name ?? '') || ours || words.text('kind.unnamed');
}
