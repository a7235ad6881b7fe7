import type { Answer } from '../../service/client.ts';
import { type GarageCar, type Profile, Username } from '../../service/models/models.ts';
import { displayName, plain } from '../../text/plain.ts';
import type { Words } from '../../i18n/translator.ts';
import { bar } from '../kit/bar.ts';
import { carMenu } from '../car/car-menu.ts';
import { modelName } from '../car/car-models.ts';
import { buttons, type Card, menu, type Row } from '../kit/card.ts';
import { embed, type Section } from '../kit/embed.ts';
import { asOf, oldData } from '../kit/freshness.ts';
import { type GaragePlace, orders, writeGarageAction } from './garage-action.ts';
import { fact, joined, named, said } from '../kit/lines.ts';
import { type Page, pageOf, pageWords, turns } from '../kit/paging.ts';
import { writeAction } from './profile-action.ts';
import { table } from '../kit/table.ts';

/** As many as one can look over on a phone, and a menu can offer. */
const PAGE = 15;
/** Cars that are said to need repair first. */
const REPAIRS = 3;

type Cars = readonly GarageCar[];

/** A driver's cars as a table in the order that was asked for; picking one opens it. */
export function garageCard(answer: Answer<Profile>, place: GaragePlace, words: Words): Card {
  const { username, nickname, cars } = answer.record;
  const page = pageOf(sorted(cars ?? [], place, words), PAGE, place.page);
  const body = {
    author: displayName(null, username),
    title: displayName(nickname, username),
    // No thumbnail: on a phone it would take the table the width of two columns.
    lead: [...oldData(answer, words), ...lead(cars, page, words)],
    sections: [...repairs(cars ?? [], words), asOf(answer, words)],
  };
  const askable = Username.safeParse(username);
  return {
    embeds: [embed(body, words)],
    components: askable.success ? controls(askable.data, page, place, words) : [],
  };
}

function lead(cars: Cars | null, page: Page<GarageCar>, words: Words): readonly string[] {
  const heading = `**${words.text('profile.view.garage')}**`;
  if (cars === null) return [heading, words.text('garage.untold')];
  if (cars.length === 0) return [heading, words.text('garage.none')];
  const count = words.text('garage.count', { count: cars.length });
  return [
    joined(heading, count, pageWords(page, words)),
    ...fact(words.text('car.upgrades'), upgrades(cars, words)),
    carTable(page.rows, words),
  ];
}

/** "12, worth 123,456"; null where no car tells its upgrades. */
function upgrades(cars: Cars, words: Words): string | null {
  const told = cars.flatMap(({ upgrades: built }) => (built === null ? [] : [built])).flat();
  if (cars.every(({ upgrades: built }) => built === null)) return null;
  const worth = told.reduce((sum, { value }) => sum + (value ?? 0), 0);
  const count = words.number(told.length);
  return worth === 0 || !Number.isFinite(worth)
    ? count
    : joined(count, words.text('property.worth', { amount: worth }));
}

/** 37 letters wide and less, but for a car that has run a million kilometres: see {@link table}. */
function carTable(cars: Cars, words: Words): string {
  return table(
    [
      { heading: words.text('garage.car'), align: 'left', most: 14 },
      { heading: words.text('garage.vin'), align: 'left', most: 5 },
      { heading: words.text('garage.driven'), align: 'right', most: 13 },
      { heading: words.text('garage.state'), align: 'right', most: 5 },
    ],
    cars.map(({ type, vin, odometerKm, condition }) => [
      modelName(type, words),
      plain(vin),
      odometerKm === null ? null : words.distance(odometerKm * 1000),
      condition === null ? null : words.percent(condition / 100),
    ]),
  );
}

/** What is not told comes last, whatever is asked for. */
function sorted(cars: Cars, { order }: GaragePlace, words: Words): Cars {
  switch (order) {
    case 'condition':
      return cars.toSorted((a, b) => worst(a) - worst(b));
    case 'km':
      return cars.toSorted((a, b) => (b.odometerKm ?? -Infinity) - (a.odometerKm ?? -Infinity) || 0);
    case 'model': {
      const collator = new Intl.Collator(words.locale, { numeric: true });
      const named = cars.map((car) => ({ car, name: modelName(car.type, words) }));
      return named
        .toSorted(
          (a, b) =>
            Number(a.car.type === null) - Number(b.car.type === null) || collator.compare(a.name, b.name),
        )
        .map(({ car }) => car);
    }
  }
}

/** Sorts the worst first; what is not told after the best. */
function worst({ condition }: GarageCar): number {
  return condition ?? Number.MAX_VALUE;
}

/** The cars in the worst condition; of equal ones the more damaged. One that lacks nothing needs no repair. */
function repairs(cars: Cars, words: Words): readonly Section[] {
  const needy = cars
    .filter(({ condition, damage }) => (condition !== null && condition < 100) || (damage ?? 0) > 0)
    .toSorted((a, b) => worst(a) - worst(b) || (b.damage ?? 0) - (a.damage ?? 0));
  if (needy.length === 0) return [];
  const lines = needy.slice(0, REPAIRS).map(({ type, vin, condition, damage }) => {
    const damaged = damage === null || damage <= 0 ? null : words.percent(damage / 100, 1);
    const state = joined(
      condition === null ? null : bar(condition / 100, words),
      damaged === null ? null : words.text('garage.damaged', { share: damaged }),
    );
    return `${joined(`**${named(modelName(type, words))}**`, said(vin))}\n${state}`;
  });
  return [{ name: words.text('garage.repairFirst'), lines }];
}

function controls(
  subject: string,
  page: Page<GarageCar>,
  { order }: GaragePlace,
  words: Words,
): readonly Row[] {
  const command = 'garage';
  const sortMenu = menu(
    { command, action: 'sort', subject },
    words.text('garage.sort'),
    orders.map((each) => ({
      label: words.text(`garage.order.${each}`),
      description: '',
      value: each,
      here: each === order,
    })),
  );
  const action = (to: number | null): string =>
    to === null ? 'none' : writeGarageAction({ order, page: to });
  const refresh = {
    command,
    action: writeGarageAction({ order, page: page.page }, true),
    subject,
    label: words.text('card.refresh'),
    emoji: '🔄',
  };
  const profile = {
    command: 'profile',
    action: writeAction({ view: 'overview', page: null }),
    subject,
    label: words.text('card.profile'),
  };
  return [
    ...(page.rows.length > 1 ? [sortMenu] : []),
    ...carMenu(page.rows, subject, words),
    buttons(...turns(page, { command, subject, action }, words), profile, refresh),
  ];
}
