import type { Driver } from './community.ts';
import type { Random } from './random.ts';
import type { Leg, Role, Session } from './servers.ts';
import { type Figures, isFigure } from './stats.ts';

/** Adds to a driver's figures; an unknown name does not compile. */
export function addFigures({ figures }: Driver, more: Figures): void {
  for (const [name, amount] of Object.entries(more)) if (isFigure(name)) figures[name] += amount;
}

/** Adds money, or removes it down to zero. */
export function pay(driver: Driver, amount: number): void {
  driver.money = Math.max(0, driver.money + Math.round(amount));
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
export function accountLeg(random: Random, { driver, role, car, leg }: Session, now: number): void {
  const seconds = (now - leg.from) / 1000;
  const metres = seconds * leg.speed;
  const earned = Math.round(metres / 90);
  const crashed = leg.speed > 0 && random.chance(leg.kind === 'chased' ? 0.15 : 0.02);
  const flashed = leg.speed > 25 && role === 'civil' && random.chance(0.03);
  const radarFine = flashed ? random.whole(4, 30) * 10 : 0;
  const rent = car === null && role === 'civil' ? Math.round(metres / 150) : 0;
  addFigures(driver, {
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
  pay(driver, earned - rent - radarFine);
  if (car === null || metres === 0) return;
  const km = metres / 1000;
  const damage = car.damage + (crashed ? random.next() ** 2 * 45 : 0);
  car.odometerKm += km;
  car.wear = Math.min(95, car.wear + km / 900);
  car.damage = Math.min(100, damage);
  car.wrecked = damage >= 100;
}
