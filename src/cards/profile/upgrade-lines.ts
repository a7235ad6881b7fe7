import type { Translator } from '../../i18n/translator.ts';
import type { Item } from '../../service/models/item.ts';
import { conditionText } from '../kit/bar.ts';
import { itemName } from '../kit/item-line.ts';
import { joined } from '../kit/lines.ts';

/** Kinds shown in a line; more than any car has. */
const KINDS = 4;

/** "Winch 99% · Ramp 44%": one car's upgrades, each with its condition. Empty for none. */
export function builtIn(upgrades: readonly Item[], t: Translator): string {
  return inLine(
    upgrades.map((upgrade) =>
      [itemName(upgrade, t), upgrade.condition === null ? null : conditionText(upgrade.condition, t)]
        .filter((part) => part !== null)
        .join(' '),
    ),
    t,
  );
}

/** "3 × Winch (worst 44%) · Ramp 99%": the upgrades of a whole garage, most frequent kind first. */
export function builtInAll(upgrades: readonly Item[], t: Translator): string {
  const kinds = [...Map.groupBy(upgrades, (upgrade) => itemName(upgrade, t))];
  return inLine(
    kinds
      .toSorted(([, a], [, b]) => b.length - a.length)
      .map(([name, all]) => {
        const conditions = all.flatMap(({ condition }) => condition ?? []);
        const counted = all.length === 1 ? name : t('garage.several', { n: all.length, name });
        if (conditions.length === 0) return counted;
        const worst = conditionText(Math.min(...conditions), t);
        return all.length === 1
          ? `${counted} ${worst}`
          : t('garage.fromCondition', { upgrade: counted, worst });
      }),
    t,
  );
}

function inLine(parts: readonly string[], t: Translator): string {
  const left = parts.length - KINDS;
  return joined(...parts.slice(0, KINDS), left > 0 ? t('card.more', { n: left }) : null);
}
