import { models, rareModels, upgradeKinds } from './catalogue.ts';
import { type Car, type Community, type Driver, FIRST_DEPARTED, type Preowner } from './community.ts';
import { departed } from './names.ts';
import type { Random } from './random.ts';
import { DAY } from './time.ts';

/** Gives a driver `count` cars with their history. `newId` numbers the upgrades. */
export function giveCars(
  community: Community,
  random: Random,
  driver: Driver,
  { count, now, newId }: { readonly count: number; readonly now: number; newId(): number },
): void {
  for (let made = 0; made < count; made += 1) {
    const place = Math.floor(random.next() ** 1.6 * models.length);
    const model = random.chance(0.06) ? random.pick(rareModels) : (models[place] ?? models[0]);
    const since = driver.joined + random.next() * (now - driver.joined);
    const owners = random.chance(0.4) ? random.whole(1, 4) : 0;
    const built = owners === 0 ? since : since - random.between(20, 900) * DAY;
    // A prize or a gift was never purchased.
    const purchased = owners === 0 && random.chance(0.1) ? 0 : since;
    const state = someState(random);
    const purchasedAtKm = owners === 0 ? 0 : state.odometerKm * random.between(0.2, 0.9);
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
      ...state,
      marketPrice: state.onMarket ? Math.round((model.price * (100 - state.wear)) / 100) : 0,
      preowners: preowners(community, random, owners, { built, sold: since, soldAtKm: purchasedAtKm }),
      upgrades: random
        .shuffled(upgradeKinds)
        .slice(0, random.chance(0.35) ? random.whole(1, 3) : 0)
        .map(({ type, value }) => ({ id: newId(), type, condition: random.between(0.1, 1), value })),
    });
  }
}

/** How much it has been through, and whether it is for sale. */
function someState(random: Random): Pick<Car, 'odometerKm' | 'wear' | 'wrecked' | 'damage' | 'onMarket'> {
  const odometerKm = random.next() ** 2 * 60_000;
  const wear = Math.min(75, odometerKm / 900 + random.between(0, 12));
  const wrecked = random.chance(0.03);
  const damage = wrecked ? 100 : random.chance(0.6) ? 0 : random.next() ** 2 * 40;
  return { odometerKm, wear, wrecked, damage, onMarket: !wrecked && random.chance(0.07) };
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** An unused VIN. */
export function newVin({ cars }: Community, random: Random): string {
  for (;;) {
    const vin = Array.from({ length: 5 }, () => LETTERS.charAt(random.whole(0, LETTERS.length - 1))).join('');
    if (!cars.has(vin)) return vin;
  }
}

/** Earlier owners, oldest first; each buyer had joined before the purchase or has since left the community. */
function preowners(
  { drivers }: Community,
  random: Random,
  owners: number,
  { built, sold, soldAtKm }: { readonly built: number; readonly sold: number; readonly soldAtKm: number },
): Preowner[] {
  return Array.from({ length: owners }, (_owner, before) => {
    const purchased = Math.round(built + ((sold - built) * before) / owners);
    const member = random.chance(0.75) ? someMember(drivers, purchased, random.whole(1, 60)) : null;
    const gone = random.whole(0, departed.length - 1);
    return {
      buyerId: member?.id ?? FIRST_DEPARTED + gone,
      purchased,
      odometerKm: (soldAtKm * before) / owners,
    };
  });
}

/** Of those who had joined by then, another one for each `mix`. */
function someMember(drivers: readonly Driver[], then: number, mix: number): Driver | null {
  const rank = ({ id }: Driver): number => (id * mix) % 61;
  return drivers
    .filter(({ joined }) => joined < then)
    .reduce<Driver | null>((first, one) => (first === null || rank(one) < rank(first) ? one : first), null);
}
