import { addFigures, pay } from './account.ts';
import { models } from './catalogue.ts';
import { type Database, figure, type Row, words } from './database.ts';
import { newVin } from './give-cars.ts';
import type { Random } from './random.ts';

/** A random car that matches `condition`, is not wrecked and not being driven. */
function someCar(db: Database, random: Random, driven: ReadonlySet<number>, condition: string) {
  const sql = `FROM car WHERE NOT wrecked AND ${condition}`;
  const count = figure(db.row(`SELECT count(*) AS count ${sql}`), 'count');
  if (count === 0) return null;
  const place = random.whole(0, count - 1);
  const row = db.row(
    `SELECT id, owner, listPrice, wear, marketPrice, purchased, purchasedAtKm ${sql} ORDER BY id LIMIT 1 OFFSET :place`,
    { place },
  );
  return row === null || driven.has(figure(row, 'id')) ? null : row;
}

function worthOf(car: Row): number {
  return (figure(car, 'listPrice') * (100 - figure(car, 'wear'))) / 100;
}

/** Returns the price in whole money. */
function ask(db: Database, car: Row, money: number): number {
  const price = Math.max(100, Math.round(money));
  db.run('UPDATE car SET onMarket = 1, marketPrice = :price WHERE id = :id', {
    id: figure(car, 'id'),
    price,
  });
  return price;
}

export interface Offer {
  readonly vin: string;
  readonly owner: string;
  readonly price: number;
}

/** Offers the car for a tenth less than it is worth, or than it was offered for; null if it is wrecked. */
export function offer(db: Database, vin: string): Offer | null {
  const car = db.row(
    `SELECT car.id, listPrice, wear, onMarket, marketPrice, username FROM car JOIN driver ON driver.id = owner
       WHERE vin = :vin AND NOT wrecked`,
    { vin },
  );
  if (car === null) return null;
  const before = figure(car, 'onMarket') === 1 ? figure(car, 'marketPrice') : worthOf(car);
  return { vin, owner: words(car, 'username'), price: ask(db, car, before * 0.9) };
}

function putUpForSale(db: Database, random: Random, driven: ReadonlySet<number>): void {
  const car = someCar(
    db,
    random,
    driven,
    'NOT onMarket AND owner IN (SELECT owner FROM car GROUP BY owner HAVING count(*) > 3)',
  );
  if (car === null) return;
  ask(db, car, worthOf(car) * random.between(0.7, 1.2));
}

function someBuyer(db: Database, random: Random, price: number, owner: number): number | null {
  const sql = 'FROM driver WHERE money >= :price AND id <> :owner';
  const count = figure(db.row(`SELECT count(*) AS count ${sql}`, { price, owner }), 'count');
  if (count === 0) return null;
  const place = random.whole(0, count - 1);
  return figure(db.row(`SELECT id ${sql} ORDER BY id LIMIT 1 OFFSET :place`, { price, owner, place }), 'id');
}

function sell(db: Database, random: Random, driven: ReadonlySet<number>, now: number): void {
  const car = someCar(db, random, driven, 'onMarket');
  if (car === null) return;
  const [id, owner, price] = [figure(car, 'id'), figure(car, 'owner'), figure(car, 'marketPrice')];
  const buyer = someBuyer(db, random, price, owner);
  if (buyer === null) return;
  db.run(
    `INSERT INTO preowner (car, buyer, buyerId, purchased, odometerKm)
       SELECT :id, username, id, :purchased, :km FROM driver WHERE id = :owner`,
    { id, owner, purchased: figure(car, 'purchased'), km: figure(car, 'purchasedAtKm') },
  );
  db.run(
    `UPDATE car SET owner = :buyer, purchased = :now, purchasedAtKm = odometerKm, onMarket = 0, marketPrice = 0
       WHERE id = :id`,
    { id, buyer, now },
  );
  addFigures(db, buyer, { sent_money: price });
  addFigures(db, owner, { received_money: price });
  pay(db, buyer, -price);
  pay(db, owner, price);
}

function buyNew(db: Database, random: Random, now: number): void {
  const { code, price } = random.pick(models);
  const driver = someBuyer(db, random, price * 2, 0);
  if (driver === null) return;
  db.run(
    `INSERT INTO car (vin, owner, type, listPrice, built, purchased, purchasedAtKm, odometerKm, wear, damage,
       onMarket, marketPrice, wrecked) VALUES (:vin, :driver, :code, :price, :now, :now, 0, 0, 0, 0, 0, 0, 0)`,
    { vin: newVin(db, random), driver, code, price, now },
  );
  pay(db, driver, -price);
}

/** Performs one market event, or none. Cars in `driven` are on the road and are not sold. */
export function trade(db: Database, random: Random, driven: ReadonlySet<number>, now: number): void {
  const what = random.next();
  if (what < 0.45) putUpForSale(db, random, driven);
  else if (what < 0.95) sell(db, random, driven, now);
  else buyNew(db, random, now);
}
