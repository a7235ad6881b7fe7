import { pay } from './account.ts';
import { type Car, type Community, carsOf, type Driver, isValid } from './community.ts';
import type { Random } from './random.ts';
import type { Role } from './servers.ts';

/** The roles a driver may have: always civil, and others with a valid licence. */
export function rolesOf({ licences }: Pick<Driver, 'licences'>, now: number): readonly [Role, ...Role[]] {
  const held = licences.filter((licence) => isValid(licence, now)).map(({ type }) => type);
  return ['civil', ...(['cop', 'med', 'tow'] as const).filter((role) => held.includes(role))];
}

/** One of the driver's first usable cars, repaired if needed; null for a driver without one. */
export function takeCar(community: Community, random: Random, driver: Driver): Car | null {
  const usable = carsOf(community, driver.id).filter(({ wrecked, onMarket }) => !wrecked && !onMarket);
  if (usable.length === 0) return null;
  const car = usable[Math.floor(random.next() ** 2 * Math.min(usable.length, 12))] ?? null;
  if (car !== null && car.damage > 20) {
    pay(driver, -car.damage * 12);
    car.damage = 0;
  }
  return car;
}
