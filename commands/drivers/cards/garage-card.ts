import { modelName } from '../../../src/cards/car/car-models.ts';
import { type GaragePage, orders } from '../../../src/cards/car/garage-page.ts';
import { conditionText } from '../../../src/cards/kit/bar.ts';
import { tableBlock } from '../../../src/cards/kit/block.ts';
import {
  type ActionRow,
  buttonRow,
  type Card,
  createCard,
  menuRow,
  refreshButton,
} from '../../../src/cards/kit/card.ts';
import { driverName } from '../../../src/cards/kit/driver.ts';
import { asOf, oldData } from '../../../src/cards/kit/freshness.ts';
import { builtIn, worthOf } from '../../../src/cards/kit/items.ts';
import {
  compact,
  formatDistance,
  formatOptional,
  joinParts,
  labelledFact,
} from '../../../src/cards/kit/lines.ts';
import { type Page, pageButtons, pageOf } from '../../../src/cards/kit/paging.ts';
import type { Offer } from '../../../src/community/history/history.ts';
import { formatTimestamp } from '../../../src/i18n/timestamp.ts';
import type { Translator } from '../../../src/i18n/translator.ts';
import type { Answer } from '../../../src/service/models/dated.ts';
import { Vin } from '../../../src/service/models/identifiers.ts';
import type { GarageCar, Profile } from '../../../src/service/models/profile.ts';
import { toPlainText } from '../../../src/text/plain.ts';
import { distanceCell } from './figure-table.ts';

/** Number of rows that fit on a phone's screen with the rest of the card. */
const PAGE_SIZE = 8;

/** A car in a condition below it, or damaged from it on, is to be repaired. In percent. */
const REPAIR_PERCENT = { below: 50, damage: 10 };

/** Letters of the column of models. */
const MAX_MODEL_WIDTH = 14;
const REPAIR_SIGN = '🔧';

type Cars = readonly GarageCar[];

/** A driver's cars as a table in the chosen order; picking one opens it. `offers`: those of their models. */
export function garageCard(
  answer: Answer<Profile>,
  { order, page: wanted }: Omit<GaragePage, 'username'>,
  t: Translator,
  offers: readonly Offer[] = [],
): Card {
  const { username, cars } = answer.record;
  const page = pageOf(sorted(cars ?? [], order, t), PAGE_SIZE, wanted);
  const content = {
    title: driverName(answer.record),
    lead: [oldData(answer, t), ...lead(cars, page, offers, t)],
    tail: asOf(answer, t),
    components: controls(username, page, order, t),
  };
  return createCard(content, t);
}

function lead(cars: Cars | null, page: Page<GarageCar>, offers: readonly Offer[], t: Translator) {
  const heading = `**${t('profile.view.garage')}**`;
  if (cars === null) return [heading, t('garage.missing')];
  if (cars.length === 0) return [heading, t('garage.none')];
  const builtUpgrades = upgrades(cars);
  return [
    joinParts(
      labelledFact(t('profile.view.garage'), t('garage.count', { count: cars.length })),
      labelledFact(t('car.upgrades'), builtUpgrades.length === 0 ? null : t.number(builtUpgrades.length)),
      worthOf(builtUpgrades, t),
    ),
    builtIn(builtUpgrades, t) || null,
    ...garageTable(page.rows, offers, t),
  ];
}

/** The upgrades of all cars; none where a car does not report its own: a part of them reads like all. */
function upgrades(cars: Cars) {
  return cars.some(({ upgrades: built }) => built === null) ? [] : cars.flatMap((car) => car.upgrades ?? []);
}

/** Missing values come last in every order. */
function sorted(cars: Cars, order: GaragePage['order'], t: Translator): Cars {
  switch (order) {
    case 'condition':
      return cars.toSorted((a, b) => (a.condition ?? Infinity) - (b.condition ?? Infinity) || 0);
    case 'km':
      return cars.toSorted((a, b) => (b.odometerKm ?? -Infinity) - (a.odometerKm ?? -Infinity) || 0);
    case 'model': {
      const collator = new Intl.Collator(t.locale, { numeric: true });
      const namedCars = cars.map((car) => ({ car, name: modelName(car.type, t) }));
      return namedCars
        .toSorted(
          (a, b) =>
            Number(a.car.type === null) - Number(b.car.type === null) || collator.compare(a.name, b.name),
        )
        .map(({ car }) => car);
    }
  }
}

function controls(subject: string, page: Page<GarageCar>, order: GaragePage['order'], t: Translator) {
  const command = 'garage';
  const sortMenu = menuRow(
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
    ...carMenu(page.rows, { order, page: page.page, username: subject }, t),
    buttonRow(...pageButtons(page, { command, action: order, subject }, t), profile, refresh),
  ];
}

/** Opens one of these cars, at most 25, by its VIN; no row if none has a valid one. */
function carMenu(cars: Cars, { order, page, username }: GaragePage, t: Translator): readonly ActionRow[] {
  // Discord refuses a menu with duplicate values.
  const byVin = new Map(
    cars.flatMap((car) => {
      const vin = Vin.safeParse(toPlainText(car.vin));
      return vin.success ? [[vin.data, car] as const] : [];
    }),
  );
  if (byVin.size === 0) return [];
  const choices = [...byVin].map(([vin, { type, odometerKm, condition }]) => ({
    value: vin,
    label: t('car.title', { model: modelName(type, t), vin }),
    description: joinParts(
      formatDistance(odometerKm, t),
      formatOptional(condition, (percent) => conditionText(percent / 100, t)),
    ),
  }));
  const id = { command: 'car', action: `open${order}`, number: page, subject: username };
  return [menuRow(id, t('garage.open'), choices)];
}

/**
 * Cars with their condition in percent, and a sign behind it where a car needs a repair;
 * below it what the sign means, if there is one. The sign comes last, since phones draw it in different widths.
 */
function garageTable(cars: Cars, offers: readonly Offer[], t: Translator): readonly string[] {
  const table = tableBlock(
    [
      { heading: t('garage.car'), most: MAX_MODEL_WIDTH, cell: (car) => model(car, t) },
      { heading: t('garage.vin'), most: 5, cell: ({ vin }) => toPlainText(vin) },
      { heading: t.distanceUnit.name(), align: 'right', cell: (car) => odometerCell(car, t) },
      { heading: t('garage.state'), isNumber: true, cell: (car) => state(car, t) },
    ],
    cars,
  );
  const rule = {
    condition: t.percent(REPAIR_PERCENT.below / 100),
    damage: t.percent(REPAIR_PERCENT.damage / 100),
  };
  return [
    table,
    ...(cars.some(needsRepair) ? [`${REPAIR_SIGN} ${t('garage.repair', rule)}`] : []),
    ...saleLine(cars, offers, t),
  ];
}

/**
 * "🏷️ Seen for sale · AB12C 56,000 2 hours ago · …": those that were for sale when somebody last looked them up, since a garage
 * itself does not say; none where none is.
 */
function saleLine(cars: Cars, offers: readonly Offer[], t: Translator): readonly string[] {
  const ownVins = new Set(cars.map(({ vin }) => toPlainText(vin).toUpperCase()));
  const offerTexts = offers
    .filter(({ vin, gone }) => gone === null && ownVins.has(vin))
    .map(({ vin, price, at }) =>
      compact(`**${vin}**`, formatOptional(price, t.number), formatTimestamp(at, 'relative')).join(' '),
    );
  return offerTexts.length === 0 ? [] : [joinParts(t('garage.seenForSale'), ...offerTexts)];
}

/** The one rule for 🔧, on every card. */
export function needsRepair({ condition, damage }: GarageCar): boolean {
  return (condition !== null && condition < REPAIR_PERCENT.below) || (damage ?? 0) >= REPAIR_PERCENT.damage;
}

/** "28% 🔧"; null where there is nothing to say. Without the space that some languages put before the percent sign. */
function state(car: GarageCar, t: Translator): string | null {
  const figure = formatOptional(car.condition, (percent) =>
    conditionText(percent / 100, t).replace(/\s/gu, ''),
  );
  return compact(figure, needsRepair(car) ? REPAIR_SIGN : null).join(' ') || null;
}

/** Returns the model's name, or its code if the name is too long: UF1.XMAS. */
function model({ type }: GarageCar, t: Translator): string {
  const name = modelName(type, t);
  return type === null || name.length <= MAX_MODEL_WIDTH ? name : toPlainText(type);
}

/** Without the unit, which the column says once. */
function odometerCell({ odometerKm }: GarageCar, t: Translator): string | null {
  return formatOptional(odometerKm, (kilometres) => distanceCell(kilometres * 1000, t));
}
