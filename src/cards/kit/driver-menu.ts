import type { Translator } from '../../i18n/translator.ts';
import { sameSpelling, Username } from '../../service/models/identifiers.ts';
import { menu, type Row } from './card.ts';
import { type DriverNames, driverName } from './driver-name.ts';

/** Discord's limit for the choices of a menu. */
const CHOICES = 25;

/**
 * The menu below a list of names: it opens one driver's profile for the reader alone, so that the list stays. The first 25
 * whose login name is known; no row if none is.
 */
export function driverMenu(drivers: readonly DriverNames[], t: Translator): readonly Row[] {
  const valid = drivers.flatMap((driver) => {
    const { data: value } = Username.safeParse(driver.username);
    return value === undefined ? [] : [{ driver, value }];
  });
  const byName = Map.groupBy(valid, ({ value }) => sameSpelling(value));
  const choices = [...byName.values()].flatMap(([first]) => first ?? []).slice(0, CHOICES);
  if (choices.length === 0) return [];
  return [
    menu(
      { command: 'profile', action: 'open', subject: '' },
      t('card.openDriver'),
      choices.map(({ driver, value }) => ({ label: driverName(driver), description: '', value })),
    ),
  ];
}
