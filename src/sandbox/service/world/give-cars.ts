import { models, rareModels, upgradeKinds } from './catalogue.ts';
import { type Car, type Community, type Driver, FIRST_DEPARTED, type Preowner } from './community.ts';
import { departed } from './names.ts';
import { YEAR } from './past.ts';
import type { Random } from './random.ts';
import { DAY } from './time.ts';

/** Distance in km that drivers have driven and no car shows yet. */
interface Driven {
  of(driver: number): number;
  /** Up to that many of them are on a car now; returns how many. */
  take(driver: number, km: number): number;
}

/** A twentieth of it was in rented cars at least. */
export function createDriven(drivers: readonly Driver[]): Driven {
  const left = new Map(drivers.map(({ id, figures }) => [id, (figures.driven_distance / 1000) * 0.95]));
  const of = (driver: number): number => left.get(driver) ?? 0;
  return {
    of,
    take(driver, km) {
      const taken = Math.min(km, of(driver));
      left.set(driver, of(driver) - taken);
      return taken;
    },
  };
}

/** Gives a driver `count` cars with their history. `newId` numbers the upgrades. */
export function giveCars(
  community: Community,
  random: Random,
  driver: Driver,
  {
    count,
    now,
    driven,
    newId,
  }: { readonly count: number; readonly now: number; readonly driven: Driven; newId(): number },
): void {
  const each = (driven.of(driver.id) * 0.8) / Math.max(1, count);
  for (let made = 0; made < count; made += 1) {
    const place = Math.floor(random.next() ** 1.6 * models.length);
    const model = random.chance(0.06) ? random.pick(rareModels) : (models[place] ?? models[0]);
    const since = driver.joined + random.next() * (now - driver.joined);
    const owners = random.chance(0.4) ? random.whole(1, 4) : 0;
    const built = owners === 0 ? since : since - random.between(20, 900) * DAY;
    // A prize or a gift was never purchased.
    const purchased = owners === 0 && random.chance(0.1) ? 0 : since;
    const before = preowners(community, random, owners, { built, sold: since, driven });
    const purchasedAtKm = before.odometerKm;
    const odometerKm = purchasedAtKm + driven.take(driver.id, each * random.between(0.2, 1.8));
    const state = someState(random, odometerKm, (now - built) / YEAR);
    const vin = newVin(community, random);
    community.cars.set(vin, {
      id: community.cars.size + 1,
      vin,
      owner: driver.id,
      type: model.code,
      listPrice: model.price,
      built: Math.round(built),
      purchased: Math.round(purchased),
      purchasedAtKm,
      odometerKm,
      ...state,
      marketPrice: state.onMarket ? Math.round((model.price * (100 - state.wear)) / 100) : 0,
      preowners: before.list,
      upgrades: random
        .shuffled(upgradeKinds)
        .slice(0, random.chance(0.35) ? random.whole(1, 3) : 0)
        .map(({ type, value }) => ({ id: newId(), type, condition: random.between(0.1, 1), value })),
    });
  }
}

/** Invents a car's wear by use and age, and whether it is for sale. */
function someState(
  random: Random,
  odometerKm: number,
  years: number,
): Pick<Car, 'wear' | 'wrecked' | 'damage' | 'onMarket'> {
  const wear = Math.min(75, odometerKm / 900 + years * random.between(1, 12) + random.between(0, 12));
  const wrecked = random.chance(0.03);
  const damage = wrecked ? 100 : random.chance(0.6) ? 0 : random.next() ** 2 * 40;
  return { wear, wrecked, damage, onMarket: !wrecked && random.chance(0.07) };
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** An unused VIN. */
export function newVin({ cars }: Community, random: Random): string {
  for (;;) {
    const vin = Array.from({ length: 5 }, () => LETTERS.charAt(random.whole(0, LETTERS.length - 1))).join('');
    if (!cars.has(vin)) return vin;
  }
}

/**
 * Earlier owners, oldest first, and what the car had run when the last one sold it; each buyer had joined before the
 * purchase or has since left the community.
 */
function preowners(
  { drivers }: Community,
  random: Random,
  owners: number,
  { built, sold, driven }: { readonly built: number; readonly sold: number; readonly driven: Driven },
): { readonly list: Preowner[]; readonly odometerKm: number } {
  let odometerKm = 0;
  const list = Array.from({ length: owners }, (_owner, before): Preowner => {
    const purchased = Math.round(built + ((sold - built) * before) / owners);
    const member = random.chance(0.75) ? someMember(drivers, purchased, random.whole(1, 60)) : null;
    const gone = random.whole(0, departed.length - 1);
    const owner = { buyerId: member?.id ?? FIRST_DEPARTED + gone, purchased, odometerKm };
    odometerKm +=
      member === null
        ? random.next() ** 2 * 15_000
        : driven.take(member.id, driven.of(member.id) * random.next() ** 2 * 0.1);
    return owner;
  });
  return { list, odometerKm };
}

/** Picks a driver who had joined by then, a different one for each `mix`. */
function someMember(drivers: readonly Driver[], then: number, mix: number): Driver | null {
  const rank = ({ id }: Driver): number => (id * mix) % 61;
  return drivers
    .filter(({ joined }) => joined < then)
    .reduce<Driver | null>((first, one) => (first === null || rank(one) < rank(first) ? one : first), null);
}
