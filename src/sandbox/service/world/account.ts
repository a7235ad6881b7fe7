import type { Database } from './database.ts';
import type { Random } from './random.ts';
import type { Leg, Role, Session } from './servers.ts';
import type { Figures } from './stats.ts';

/** Adds to a driver's figures; an unknown name does not compile. */
export function addFigures(db: Database, driver: number, figures: Figures): void {
  const names = Object.keys(figures);
  const sums = names.map((name) => `${name} = ${name} + :${name}`).join(', ');
  db.run(`UPDATE stats SET ${sums} WHERE driver = :driver`, { driver, ...figures });
}

/** Adds money, or removes it down to zero. */
export function pay(db: Database, driver: number, amount: number): void {
  db.run('UPDATE driver SET money = max(0, money + :amount) WHERE id = :driver', {
    driver,
    amount: Math.round(amount),
  });
}

/** Medics have no figures of their own: their hours count as civil. */
const timeOf: Record<Role, keyof Figures> = {
  civil: 'gaming_time_civil',
  med: 'gaming_time_civil',
  cop: 'gaming_time_cop',
  tow: 'gaming_time_tow',
};
const distanceOf: Record<Role, keyof Figures> = {
  civil: 'driven_distance_civil',
  med: 'driven_distance_civil',
  cop: 'driven_distance_cop',
  tow: 'driven_distance_tow',
};

/** Further figures for a kind of leg. */
function share(kind: Leg['kind'], seconds: number, metres: number): Figures {
  if (kind === 'chasing')
    return { gaming_time_chasing: seconds, driven_distance_chasing: metres, cop_xp: seconds / 20 };
  if (kind === 'chased') return { gaming_time_chased: seconds, driven_distance_chased: metres };
  if (kind === 'rescuing') return { driven_distance_sos: metres };
  return {};
}

/** Records a leg that ends at `now`: time, distance, wear, earnings and accidents. */
export function accountLeg(
  db: Database,
  random: Random,
  { driver, role, car, leg }: Session,
  now: number,
): void {
  const seconds = (now - leg.from) / 1000;
  const metres = seconds * leg.speed;
  const earned = Math.round(metres / 90);
  const crashed = leg.speed > 0 && random.chance(leg.kind === 'chased' ? 0.15 : 0.02);
  const flashed = leg.speed > 25 && role === 'civil' && random.chance(0.03);
  const radarFine = flashed ? random.whole(4, 30) * 10 : 0;
  const rent = car === null && role === 'civil' ? Math.round(metres / 150) : 0;
  addFigures(db, driver, {
    gaming_time_total: seconds,
    [timeOf[role]]: seconds,
    driven_distance: metres,
    [distanceOf[role]]: metres,
    ...share(leg.kind, seconds, metres),
    ...(earned > 0 ? { driving_money_plus: earned, rp_xp: seconds / 60 } : {}),
    ...(rent > 0 ? { paid_for_renting: rent } : {}),
    ...(crashed ? { crashes: 1, driven_distance_offroad: Math.min(metres, 40) } : {}),
    ...(flashed ? { paid_radar_fines: radarFine } : {}),
  });
  if (earned - rent - radarFine !== 0) pay(db, driver, earned - rent - radarFine);
  if (car === null || metres === 0) return;
  const km = metres / 1000;
  db.run(
    `UPDATE car SET odometerKm = odometerKm + :km, wear = min(95, wear + :worn), damage = min(100, damage + :hurt),
       wrecked = damage + :hurt >= 100 WHERE id = :car`,
    { car: car.id, km, worn: km / 900, hurt: crashed ? random.next() ** 2 * 45 : 0 },
  );
}
