import type { Translator } from '../../i18n/translator.ts';
import type { GarageCar } from '../../service/models/garage-car.ts';

/** "wear 27.6%" and "damage 3%", each only if not zero. */
export function wearAndDamage(
  { wear, damage }: Pick<GarageCar, 'wear' | 'damage'>,
  t: Translator,
): readonly string[] {
  const parts = [
    wear === null || wear === 0 ? [] : t('garage.worn', { share: t.percent(wear / 100, 1) }),
    damage === null || damage === 0 ? [] : t('garage.damaged', { share: t.percent(damage / 100, 1) }),
  ].flat();
  // Non-breaking, for narrow lines.
  return parts.map((part) => part.replaceAll(' ', '\u00a0'));
}
