import type { Translator } from '../../i18n/translator.ts';
import type { GarageCar } from '../../service/models/profile.ts';
import { keepTogether } from './lines.ts';

const BAR_LENGTH = 10;

/** A condition from 0 to 1 as a bar and its figure: ▰▰▰▰▰▰▰▱▱▱ 72%. */
export function conditionBar(condition: number, t: Translator): string {
  return `${shareGauge(condition)} ${conditionText(condition, t)}`;
}

/** 0.29 × 100 is a little less than 29. */
const ROUNDING_ERROR = 1e-9;

/**
 * A condition from 0 to 1 in whole percents, the same on every card. Rounded down, since what is below 50% shall not read
 * 50%; only what is nothing reads 0%.
 */
export function conditionText(condition: number, t: Translator): string {
  return t.percent(
    condition > 0 && condition < 0.01 ? condition / 2 : Math.floor(condition * 100 + ROUNDING_ERROR) / 100,
  );
}

/** "28% wear" and "3% damage", each only if not zero; no wear that the condition already says. */
export function wearAndDamage(
  { condition, wear, damage }: Pick<GarageCar, 'condition' | 'wear' | 'damage'>,
  t: Translator,
): readonly string[] {
  const isRepeated = condition !== null && Math.abs(condition + (wear ?? 0) - 100) < 1;
  const parts = [
    wear === null || wear === 0 || isRepeated
      ? []
      : t('garage.worn', { share: conditionText(wear / 100, t) }),
    damage === null || damage === 0 ? [] : t('garage.damaged', { share: conditionText(damage / 100, t) }),
  ].flat();
  return parts.map(keepTogether);
}

/**
 * The bar alone, to be shown beside its figure. Only a full value looks full, and only an empty one empty; values outside 0
 * to 1 are clamped.
 */
export function shareGauge(fraction: number): string {
  const exact = fraction * BAR_LENGTH;
  const inside = Math.max(1, Math.min(BAR_LENGTH - 1, Math.round(exact)));
  const filled = exact <= 0 ? 0 : exact >= BAR_LENGTH ? BAR_LENGTH : inside;
  return '▰'.repeat(filled) + '▱'.repeat(BAR_LENGTH - filled);
}
