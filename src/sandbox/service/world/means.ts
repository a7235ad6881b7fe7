import { pay } from './account.ts';
import { type Database, figure, words } from './database.ts';
import type { Random } from './random.ts';
import type { Role, Session } from './servers.ts';

/** The roles a driver may have: always civil, and others with a valid licence. */
export function rolesOf(db: Database, driver: number, now: number): readonly [Role, ...Role[]] {
  const rows = db.rows(
    `SELECT type FROM licence WHERE driver = :driver AND NOT revoked AND suspendedUntil <= :now
       AND (validUntil = 0 OR validUntil > :now) ORDER BY id`,
    { driver, now },
  );
  const held = rows.map((row) => words(row, 'type'));
  return ['civil', ...(['cop', 'med', 'tow'] as const).filter((role) => held.includes(role))];
}

/** One of the driver's first usable cars, repaired if needed; null for a driver without one. */
export function takeCar(db: Database, random: Random, driver: number): Session['car'] {
  const usable = 'FROM car WHERE owner = :driver AND NOT wrecked AND NOT onMarket';
  const count = figure(db.row(`SELECT count(*) AS count ${usable}`, { driver }), 'count');
  if (count === 0) return null;
  const place = Math.floor(random.next() ** 2 * Math.min(count, 12));
  const row = db.row(`SELECT id, vin, damage ${usable} ORDER BY id LIMIT 1 OFFSET :place`, { driver, place });
  const id = figure(row, 'id');
  const damage = figure(row, 'damage');
  if (damage > 20) {
    db.run('UPDATE car SET damage = 0 WHERE id = :id', { id });
    pay(db, driver, -damage * 12);
  }
  return { id, vin: words(row, 'vin') };
}

export function isWrecked(db: Database, id: number): boolean {
  return figure(db.row('SELECT wrecked FROM car WHERE id = :id', { id }), 'wrecked') === 1;
}
