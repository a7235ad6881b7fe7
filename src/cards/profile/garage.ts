import type { Translator } from '../../i18n/translator.ts';
import type { Answer } from '../../service/models/dated.ts';
import type { GarageCar } from '../../service/models/garage-car.ts';
import type { Profile } from '../../service/models/profile.ts';
import { carMenu } from '../car/car-menu.ts';
import { modelName } from '../car/car-models.ts';
import { wearAndDamage } from '../car/wear-and-damage.ts';
import { bar } from '../kit/bar.ts';
import { joined, named, said } from '../kit/lines.ts';
import { pageLabel, pageOf, turns } from '../kit/paging.ts';
import { garageTable } from './garage-table.ts';
import type { Place } from './profile-action.ts';
import { builtIn } from './upgrade-lines.ts';
import type { Remembered, ViewContent } from './view-content.ts';

const PAGE = 10;

/** A driver's cars as the service lists them, ten per page, each in the menu. */
export function garage(
  { record: { cars } }: Answer<Profile>,
  place: Place,
  t: Translator,
  { offers }: Remembered,
): ViewContent {
  const heading = `**${t('profile.view.garage')}**`;
  if (cars === null) return { lead: [heading, t('garage.missing')] };
  if (cars.length === 0) return { lead: [heading, t('garage.none')] };

  const page = pageOf(cars, PAGE, place.page ?? 0);
  const lead = joined(heading, t('garage.count', { count: cars.length }), pageLabel(page, t));
  return {
    wide: true,
    lead: [lead, ...garageTable(page.rows, offers, t)],
    page: page.page,
    menus: (username) => carMenu(page.rows, { garage: 'profile', page: page.page, username }, t),
    turns: (subject) => turns(page, { command: 'profile', action: 'garage', subject }, t),
  };
}

/** A car in up to three short lines: model, condition, upgrades. */
export function carLines(car: GarageCar, t: Translator): string {
  const is = joined(
    `**${named(modelName(car.type, t))}**`,
    said(car.vin),
    car.odometerKm === null ? null : t.distance(car.odometerKm * 1000),
  );
  const state = joined(car.condition === null ? null : bar(car.condition / 100, t), ...wearAndDamage(car, t));
  return [is, state, builtIn(car.upgrades ?? [], t)].filter((line) => line !== '').join('\n');
}
