import type { Translator } from '../../i18n/translator.ts';
import type { Answer } from '../../service/models/dated.ts';
import type { GarageCar } from '../../service/models/garage-car.ts';
import type { Offer } from '../../service/models/history.ts';
import type { Profile } from '../../service/models/profile.ts';
import { modelName } from '../car/car-models.ts';
import { carMenu, orders } from '../car/garage-page.ts';
import { buttons, type Card, card, menu, refreshButton } from '../kit/card.ts';
import { driverName } from '../kit/driver.ts';
import { asOf, oldData } from '../kit/freshness.ts';
import { builtInAll, worthOf } from '../kit/items.ts';
import { fact, joined } from '../kit/lines.ts';
import { type Page, pageOf, turns } from '../kit/paging.ts';
import { garageTable } from './garage-table.ts';

/** A position in a garage. */
interface GaragePlace {
  readonly order: (typeof orders)[number];
  /** From 0. */
  readonly page: number;
}

/** As many rows as fit on a phone's screen beside what stands around them. */
const PAGE = 8;

type Cars = readonly GarageCar[];

/** A driver's cars as a table in the chosen order; picking one opens it. `offers`: those of their models. */
export function garageCard(
  answer: Answer<Profile>,
  place: GaragePlace,
  t: Translator,
  offers: readonly Offer[] = [],
): Card {
  const { username, cars } = answer.record;
  const page = pageOf(sorted(cars ?? [], place, t), PAGE, place.page);
  const content = {
    title: driverName(answer.record),
    lead: [oldData(answer, t), ...lead(cars, page, offers, t)],
    tail: asOf(answer, t),
    components: controls(username, page, place, t),
  };
  return card(content, t);
}

function lead(cars: Cars | null, page: Page<GarageCar>, offers: readonly Offer[], t: Translator) {
  const heading = `**${t('profile.view.garage')}**`;
  if (cars === null) return [heading, t('garage.missing')];
  if (cars.length === 0) return [heading, t('garage.none')];
  const built = upgrades(cars);
  const kinds = builtInAll(built, t);
  return [
    joined(
      fact(t('profile.view.garage'), t('garage.count', { count: cars.length })),
      fact(t('car.upgrades'), built.length === 0 ? null : t.number(built.length)),
      worthOf(built, t),
    ),
    ...(kinds === '' ? [] : [kinds]),
    ...garageTable(page.rows, offers, t),
  ];
}

/** The upgrades of all cars; none where a car does not report its own: a part of them reads like all. */
function upgrades(cars: Cars) {
  return cars.some(({ upgrades: built }) => built === null) ? [] : cars.flatMap((car) => car.upgrades ?? []);
}

/** Missing values come last in every order. */
function sorted(cars: Cars, { order }: GaragePlace, t: Translator): Cars {
  switch (order) {
    case 'condition':
      return cars.toSorted((a, b) => (a.condition ?? Infinity) - (b.condition ?? Infinity) || 0);
    case 'km':
      return cars.toSorted((a, b) => (b.odometerKm ?? -Infinity) - (a.odometerKm ?? -Infinity) || 0);
    case 'model': {
      const collator = new Intl.Collator(t.locale, { numeric: true });
      const named = cars.map((car) => ({ car, name: modelName(car.type, t) }));
      return named
        .toSorted(
          (a, b) =>
            Number(a.car.type === null) - Number(b.car.type === null) || collator.compare(a.name, b.name),
        )
        .map(({ car }) => car);
    }
  }
}

function controls(subject: string, page: Page<GarageCar>, { order }: GaragePlace, t: Translator) {
  const command = 'garage';
  const sortMenu = menu(
    { command, action: 'sort', subject },
    t('garage.sort'),
    orders.map((each) => ({
      label: t(`garage.order.${each}`),
      value: each,
      here: each === order,
    })),
  );
  const refresh = refreshButton({ command, action: order, number: page.page, subject }, t);
  const profile = { command: 'profile', action: 'overview', subject, label: t('card.profile') };
  return [
    ...(page.rows.length > 1 ? [sortMenu] : []),
    ...carMenu(page.rows, { garage: order, page: page.page, username: subject }, t),
    buttons(...turns(page, { command, action: order, subject }, t), profile, refresh),
  ];
}
