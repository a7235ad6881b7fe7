import { models, rareModels, upgradeKinds } from './catalogue.ts';
import { type Database, figure, words } from './database.ts';
import { departed } from './names.ts';
import type { Random } from './random.ts';
import { DAY } from './time.ts';

/** Gives a driver `count` cars with their history. */
export function giveCars(db: Database, random: Random, driver: number, count: number, now: number): void {
  const joined = figure(db.row('SELECT joined FROM driver WHERE id = :driver', { driver }), 'joined');
  for (let made = 0; made < count; made += 1) {
    const place = Math.floor(random.next() ** 1.6 * models.length);
    const model = random.chance(0.06) ? random.pick(rareModels) : (models[place] ?? models[0]);
    const since = joined + random.next() * (now - joined);
    const owners = random.chance(0.4) ? random.whole(1, 4) : 0;
    const built = owners === 0 ? since : since - random.between(20, 900) * DAY;
    // A prize or a gift was never purchased.
    const purchased = owners === 0 && random.chance(0.1) ? 0 : since;
    const odometer = random.next() ** 2 * 60_000;
    const wear = Math.min(75, odometer / 900 + random.between(0, 12));
    const wrecked = random.chance(0.03);
    const damage = wrecked ? 100 : random.chance(0.6) ? 0 : random.next() ** 2 * 40;
    const onMarket = !wrecked && random.chance(0.07);
    const purchasedAtKm = owners === 0 ? 0 : odometer * random.between(0.2, 0.9);
    const car = db.run(
      `INSERT INTO car (vin, owner, type, listPrice, built, purchased, purchasedAtKm, odometerKm, wear, damage,
         onMarket, marketPrice, wrecked) VALUES (:vin, :driver, :type, :listPrice, :built, :purchased,
         :purchasedAtKm, :odometer, :wear, :damage, :onMarket, :marketPrice, :wrecked)`,
      {
        vin: newVin(db, random),
        driver,
        type: model.code,
        listPrice: model.price,
        built: Math.round(built),
        purchased: Math.round(purchased),
        purchasedAtKm,
        odometer,
        wear,
        damage,
        onMarket: Number(onMarket),
        marketPrice: onMarket ? Math.round((model.price * (100 - wear)) / 100) : 0,
        wrecked: Number(wrecked),
      },
    );
    givePreowners(db, random, car, owners, built, since, purchasedAtKm);
    for (const { type, value } of random
      .shuffled(upgradeKinds)
      .slice(0, random.chance(0.35) ? random.whole(1, 3) : 0)) {
      db.run('INSERT INTO upgrade (car, type, condition, value) VALUES (:car, :type, :condition, :value)', {
        car,
        type,
        condition: random.between(0.1, 1),
        value,
      });
    }
  }
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** An unused VIN. */
export function newVin(db: Database, random: Random): string {
  for (;;) {
    const vin = Array.from({ length: 5 }, () => LETTERS.charAt(random.whole(0, LETTERS.length - 1))).join('');
    if (db.row('SELECT 1 FROM car WHERE vin = :vin', { vin }) === null) return vin;
  }
}

/** Earlier owners, oldest first; each buyer had joined before the purchase or has since left the community. */
function givePreowners(
  db: Database,
  random: Random,
  car: number,
  owners: number,
  built: number,
  sold: number,
  soldAtKm: number,
): void {
  for (let before = 0; before < owners; before += 1) {
    const purchased = Math.round(built + ((sold - built) * before) / owners);
    const member = random.chance(0.75)
      ? db.row(
          'SELECT id, username FROM driver WHERE joined < :purchased ORDER BY (id * :mix) % 61 LIMIT 1',
          {
            purchased,
            mix: random.whole(1, 60),
          },
        )
      : null;
    const gone = random.whole(0, departed.length - 1);
    db.run(
      `INSERT INTO preowner (car, buyer, buyerId, purchased, odometerKm)
         VALUES (:car, :buyer, :buyerId, :purchased, :odometerKm)`,
      {
        car,
        buyer: member === null ? (departed[gone] ?? departed[0]) : words(member, 'username'),
        buyerId: member === null ? 1000 + gone : figure(member, 'id'),
        purchased,
        odometerKm: (soldAtKm * before) / owners,
      },
    );
  }
}
