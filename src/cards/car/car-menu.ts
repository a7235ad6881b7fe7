import { type GarageCar, Vin } from '../../service/models/models.ts';
import { cut } from '../../text/cut.ts';
import { plain } from '../../text/plain.ts';
import type { Words } from '../../i18n/translator.ts';
import { modelName } from './car-models.ts';
import { menu, type Row } from '../kit/card.ts';
import { joined } from '../kit/lines.ts';

/** Characters of a choice's label (field notes §3). */
const LABEL = 100;

/** A menu that opens one of these cars, 25 at most; no row where none of them can be asked for. */
export function carMenu(cars: readonly GarageCar[], username: string, words: Words): readonly Row[] {
  const choices = choicesOf(cars, words);
  if (choices.length === 0) return [];
  return [menu({ command: 'car', action: 'open', subject: username }, words.text('garage.open'), choices)];
}

/** One choice a VIN: chat refuses a menu that offers the same twice. */
function choicesOf(cars: readonly GarageCar[], words: Words) {
  const byVin = new Map(
    cars.flatMap((car) => {
      const vin = Vin.safeParse(plain(car.vin));
      return vin.success ? [[vin.data, car] as const] : [];
    }),
  );
  return [...byVin].map(([vin, { type, odometerKm, condition }]) => ({
    value: vin,
    label: cut(words.text('car.title', { model: modelName(type, words), vin }), LABEL),
    description: joined(
      odometerKm === null ? null : words.distance(odometerKm * 1000),
      condition === null ? null : words.percent(condition / 100, 1),
    ),
  }));
}
