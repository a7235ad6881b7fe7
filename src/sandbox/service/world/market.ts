import { addFigures, pay } from './account.ts';
import { models } from './catalogue.ts';
import { type Car, type Community, type Driver, driverOf } from './community.ts';
import { newVin } from './give-cars.ts';
import type { Random } from './random.ts';

/** One of them by chance; null if there is none. */
function some<T>(random: Random, list: readonly T[]): T | null {
  return list.length === 0 ? null : (list[random.whole(0, list.length - 1)] ?? null);
}

/** A random car that `suits` and is not wrecked; null also if it is being driven. */
function someCar(
  { cars }: Community,
  random: Random,
  driven: ReadonlySet<Car>,
  suits: (car: Car) => boolean,
): Car | null {
  const car = some(
    random,
    [...cars.values()].filter((one) => !one.wrecked && suits(one)),
  );
  return car === null || driven.has(car) ? null : car;
}

function worthOf({ listPrice, wear }: Car): number {
  return (listPrice * (100 - wear)) / 100;
}

/** Returns the price in whole money. */
function ask(car: Car, money: number): number {
  car.onMarket = true;
  car.marketPrice = Math.max(100, Math.round(money));
  return car.marketPrice;
}

export interface Offer {
  readonly vin: string;
  readonly owner: string;
  readonly price: number;
}

/** Offers the car for a tenth less than it is worth, or than it was offered for; null if it is wrecked. */
export function offer(community: Community, vin: string): Offer | null {
  const car = community.cars.get(vin);
  if (car === undefined || car.wrecked) return null;
  const before = car.onMarket ? car.marketPrice : worthOf(car);
  return { vin, owner: driverOf(community, car.owner).username, price: ask(car, before * 0.9) };
}

function putUpForSale(community: Community, random: Random, driven: ReadonlySet<Car>): void {
  const count = Map.groupBy(community.cars.values(), ({ owner }) => owner);
  const car = someCar(
    community,
    random,
    driven,
    ({ onMarket, owner }) => !onMarket && (count.get(owner)?.length ?? 0) > 3,
  );
  if (car === null) return;
  ask(car, worthOf(car) * random.between(0.7, 1.2));
}

function someBuyer({ drivers }: Community, random: Random, price: number, owner: number): Driver | null {
  return some(
    random,
    drivers.filter(({ money, id }) => money >= price && id !== owner),
  );
}

function sell(community: Community, random: Random, driven: ReadonlySet<Car>, now: number): void {
  const car = someCar(community, random, driven, ({ onMarket }) => onMarket);
  if (car === null) return;
  const price = car.marketPrice;
  const buyer = someBuyer(community, random, price, car.owner);
  if (buyer === null) return;
  const owner = driverOf(community, car.owner);
  car.preowners.push({ buyerId: owner.id, purchased: car.purchased, odometerKm: car.purchasedAtKm });
  car.owner = buyer.id;
  car.purchased = now;
  car.purchasedAtKm = car.odometerKm;
  car.onMarket = false;
  car.marketPrice = 0;
  addFigures(buyer, { sent_money: price });
  addFigures(owner, { received_money: price });
  pay(buyer, -price);
  pay(owner, price);
}

function buyNew(community: Community, random: Random, now: number): void {
  const { code, price } = random.pick(models);
  const driver = someBuyer(community, random, price * 2, 0);
  if (driver === null) return;
  const vin = newVin(community, random);
  community.cars.set(vin, {
    id: community.cars.size + 1,
    vin,
    owner: driver.id,
    type: code,
    listPrice: price,
    built: now,
    purchased: now,
    purchasedAtKm: 0,
    odometerKm: 0,
    wear: 0,
    damage: 0,
    onMarket: false,
    marketPrice: 0,
    wrecked: false,
    upgrades: [],
    preowners: [],
  });
  pay(driver, -price);
}

/** Performs one market event, or none. Cars in `driven` are on the road and are not sold. */
export function trade(community: Community, random: Random, driven: ReadonlySet<Car>, now: number): void {
  const what = random.next();
  if (what < 0.45) putUpForSale(community, random, driven);
  else if (what < 0.95) sell(community, random, driven, now);
  else buyNew(community, random, now);
}
