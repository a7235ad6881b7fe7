import { timestamp } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Offer } from '../../service/models/history.ts';
import type { GarageCar } from '../../service/models/profile.ts';
import { plain } from '../../text/plain.ts';
import { modelName } from '../car/car-models.ts';
import { conditionText } from '../kit/bar.ts';
import { table } from '../kit/block.ts';
import { joined, present, written } from '../kit/lines.ts';

/** A car in a condition below it, or damaged from it on, is to be repaired. In percent. */
const REPAIR = { below: 50, damage: 10 };

/** Letters of the column of models. */
const MODEL = 14;
const REPAIR_SIGN = '🔧';

/**
 * Cars with their condition in percent, and a sign behind it where a car needs a repair;
 * below it what the sign means, if there is one. At most 36 letters wide, except for a car with 100,000 kilometres: see
 * {@link table}. The sign comes last, since phones draw it in different widths.
 */
export function garageTable(
  cars: readonly GarageCar[],
  offers: readonly Offer[],
  t: Translator,
): readonly string[] {
  const drawn = table(
    [
      { heading: t('garage.car'), align: 'left', most: MODEL },
      { heading: t('garage.vin'), align: 'left', most: 5 },
      { heading: t.distanceUnit.name(), align: 'right', most: 9 },
      { heading: t('garage.state'), align: 'left', isNumber: true, most: 15 },
    ],
    cars.map((car) => [
      model(car, t),
      plain(car.vin),
      written(car.odometerKm, (kilometres) => figure(kilometres, t)),
      state(car, t),
    ]),
  );
  const rule = { condition: t.percent(REPAIR.below / 100), damage: t.percent(REPAIR.damage / 100) };
  return [
    drawn,
    ...(cars.some(needsRepair) ? [`${REPAIR_SIGN} ${t('garage.repair', rule)}`] : []),
    ...saleLine(stillOffered(cars, offers), t),
  ];
}

const vinOf = ({ vin }: GarageCar): string => plain(vin).toUpperCase();

/** By VIN, those that were for sale when somebody last looked them up: a garage itself does not say. */
function stillOffered(cars: readonly GarageCar[], offers: readonly Offer[]): ReadonlyMap<string, Offer> {
  const own = new Set(cars.map(vinOf));
  return new Map(
    offers.filter(({ vin, gone }) => gone === null && own.has(vin)).map((offer) => [offer.vin, offer]),
  );
}

/** "🏷️ For sale · AB12C 56,000 2 hours ago · …"; none where none is. */
function saleLine(offers: ReadonlyMap<string, Offer>, t: Translator): readonly string[] {
  if (offers.size === 0) return [];
  const cars = [...offers.values()].map(({ vin, price, at }) =>
    present(`**${vin}**`, written(price, t.number), timestamp(at, 'relative')).join(' '),
  );
  return [joined(t('car.forSale'), ...cars)];
}

/** The one rule for 🔧, on every card. */
export function needsRepair({ condition, damage }: GarageCar): boolean {
  return (condition !== null && condition < REPAIR.below) || (damage ?? 0) >= REPAIR.damage;
}

/** "28% 🔧"; null where there is nothing to say. Without the space that some languages put before the percent sign. */
function state(car: GarageCar, t: Translator): string | null {
  const figure = written(car.condition, (percent) => conditionText(percent / 100, t).replace(/\s/gu, ''));
  return present(figure, needsRepair(car) ? REPAIR_SIGN : null).join(' ') || null;
}

/** By its code where the name is too long: UF1.XMAS. */
function model({ type }: GarageCar, t: Translator): string {
  const name = modelName(type, t);
  return type === null || name.length <= MODEL ? name : plain(type);
}

/** Without the unit, which the column says once. Languages put it last. */
function figure(kilometres: number, t: Translator): string {
  return t
    .distance(kilometres * 1000)
    .slice(0, -t.distanceUnit.name().length)
    .trim();
}
