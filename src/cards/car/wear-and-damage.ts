import type { Translator } from '../../i18n/translator.ts';
import type { GarageCar } from '../../service/models/garage-car.ts';
import { conditionText, wearText } from '../kit/bar.ts';

/** "28% wear" and "3% damage", each only if not zero. */
export function wearAndDamage(
  { wear, damage }: Pick<GarageCar, 'wear' | 'damage'>,
  t: Translator,
): readonly string[] {
  const parts = [
    wear === null || wear === 0 ? [] : t('garage.worn', { share: wearText(wear / 100, t) }),
    damage === null || damage === 0 ? [] : t('garage.damaged', { share: conditionText(damage / 100, t) }),
  ].flat();
  // Non-breaking, for narrow lines.
  return parts.map((part) => part.replaceAll(' ', '\u00a0'));
}
