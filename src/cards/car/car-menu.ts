import type { Translator } from '../../i18n/translator.ts';
import type { GarageCar } from '../../service/models/garage-car.ts';
import { Vin } from '../../service/models/identifiers.ts';
import { cut } from '../../text/cut.ts';
import { plain } from '../../text/plain.ts';
import { conditionText } from '../kit/bar.ts';
import { menu, type Row } from '../kit/card.ts';
import { joined } from '../kit/lines.ts';
import { modelName } from './car-models.ts';
import { type GaragePage, openFrom } from './garage-page.ts';

/** Maximum characters of a choice's label in Discord. */
const LABEL = 100;

/** A menu that opens one of these cars, at most 25; no row if none has a valid VIN. */
export function carMenu(cars: readonly GarageCar[], from: GaragePage, t: Translator): readonly Row[] {
  const choices = choicesOf(cars, t);
  if (choices.length === 0) return [];
  return [menu(openFrom(from), t('garage.open'), choices)];
}

/** One choice per VIN: Discord refuses a menu with duplicate values. */
function choicesOf(cars: readonly GarageCar[], t: Translator) {
  const byVin = new Map(
    cars.flatMap((car) => {
      const vin = Vin.safeParse(plain(car.vin));
      return vin.success ? [[vin.data, car] as const] : [];
    }),
  );
  return [...byVin].map(([vin, { type, odometerKm, condition }]) => ({
    value: vin,
    label: cut(t('car.title', { model: modelName(type, t), vin }), LABEL),
    description: joined(
      odometerKm === null ? null : t.distance(odometerKm * 1000),
      condition === null ? null : conditionText(condition / 100, t),
    ),
  }));
}
