import type { Translator } from '../../i18n/translator.ts';
import type { GarageCar } from '../../service/models/garage-car.ts';
import { Vin } from '../../service/models/identifiers.ts';
import { plain } from '../../text/plain.ts';
import { conditionText } from '../kit/bar.ts';
import { type ActionRow, menu } from '../kit/card.ts';
import type { CustomId } from '../kit/custom-id.ts';
import { driven, joined, written } from '../kit/lines.ts';
import { modelName } from './car-models.ts';

/** The sort orders of a garage, as in the menu; each is an action of the command. */
export const orders = ['condition', 'km', 'model'] as const;

/** The page of a garage from which a car was opened. */
export interface GaragePage {
  readonly order: (typeof orders)[number];
  /** From 0. */
  readonly page: number;
  /** Whose garage it is; the car may have another owner by now. */
  readonly username: string;
}

/** A menu that opens one of these cars, at most 25, by its VIN; no row if none has a valid one. */
export function carMenu(cars: readonly GarageCar[], from: GaragePage, t: Translator): readonly ActionRow[] {
  // Discord refuses a menu with duplicate values.
  const byVin = new Map(
    cars.flatMap((car) => {
      const vin = Vin.safeParse(plain(car.vin));
      return vin.success ? [[vin.data, car] as const] : [];
    }),
  );
  if (byVin.size === 0) return [];
  const choices = [...byVin].map(([vin, { type, odometerKm, condition }]) => ({
    value: vin,
    label: t('car.title', { model: modelName(type, t), vin }),
    description: joined(
      driven(odometerKm, t),
      written(condition, (percent) => conditionText(percent / 100, t)),
    ),
  }));
  const { order, page, username } = from;
  const id = { command: 'car', action: `open${order}`, number: page, subject: username };
  return [menu(id, t('garage.open'), choices)];
}

/** The same car again. A VIN has five letters, so the name begins after them: 100 characters with the longest. */
export function seenFrom(vin: string, { order, page, username }: GaragePage): CustomId {
  return { command: 'car', action: `in${order}`, number: page, subject: vin + username };
}

export function readSeen(subject: string) {
  return { vin: subject.slice(0, VIN), username: subject.slice(VIN) };
}

const VIN = 5;

/** The button that leads back to that very page. */
export function backTo({ order, page, username }: GaragePage): CustomId {
  return { command: 'garage', action: order, number: page, subject: username };
}
