import { licenceKinds, optionValues, propertyKinds } from './catalogue.ts';
import { type Community, type Driver, foldName, type Licence, type Possession } from './community.ts';
import { giveCars } from './give-cars.ts';
import { type Names, people } from './names.ts';
import { createRandom, type Random } from './random.ts';
import { DAY, HOUR } from './time.ts';

/** The people at these positions have special roles: everything to show, 300 cars, and nothing yet. */
const SHOWCASE = 1;
const HOARDER = 2;
const NEWCOMER = people.length;

/** How many cars these three own; the others have up to 40. */
const garages = new Map([
  [SHOWCASE, 40],
  [HOARDER, 300],
  [NEWCOMER, 0],
]);

const roles = ['civil', 'cop', 'tow'] as const;

/** The community at `now` (unix milliseconds): people, under these names, and their possessions. */
export function settle(seed: number, now: number, names: readonly Names[]): Community {
  const random = createRandom(seed, 'settle');
  const [propertyId, upgradeId] = [countUp(), countUp()];
  const newcomers = people.map(([own, shown, country], index) => {
    const { username, nickname } = names[index] ?? { username: own, nickname: shown };
    return {
      ...someone(random, index + 1, now),
      username,
      folded: foldName(username),
      nickname,
      country,
    };
  });
  const drivers = newcomers.map((person): Driver => {
    const licences = someLicences(random, person.id, person.joined, now);
    const figures = someFigures(random, person.id, now - person.joined);
    const properties = someProperties(random, person.id, propertyId);
    return { ...person, licences, figures, properties, options: someOptions(random, person.id) };
  });
  const community: Community = { drivers, cars: new Map() };
  for (const driver of drivers) {
    const count = garages.get(driver.id) ?? Math.floor(random.next() ** 2 * 41);
    giveCars(community, random, driver, { count, now, newId: upgradeId });
  }
  return community;
}

function countUp(): () => number {
  let last = 0;
  return () => {
    last += 1;
    return last;
  };
}

function someone(random: Random, id: number, now: number) {
  const joined = id === NEWCOMER ? now - 2 * DAY : now - random.between(40, 3000) * DAY;
  return {
    id,
    joined: Math.round(joined),
    lastSeen: Math.round(now - random.next() ** 3 * Math.min(90 * DAY, now - joined)),
    insimAdmin: id <= SHOWCASE || random.chance(0.06),
    adminLevel: id <= SHOWCASE ? 3 : random.chance(0.1) ? random.whole(1, 2) : 0,
    needsCopTraining: random.chance(0.2),
    money: id === NEWCOMER ? 5_000 : Math.round(random.next() ** 3 * 2_000_000) + 800,
  };
}

/** Gives everybody these names. */
export function rename({ drivers }: Community, names: readonly Names[]): void {
  names.forEach(({ username, nickname }, index) => {
    const driver = drivers[index];
    if (driver !== undefined) Object.assign(driver, { username, nickname, folded: foldName(username) });
  });
}

function someLicences(random: Random, driver: number, joined: number, now: number): Licence[] {
  const everyState = driver === SHOWCASE || driver === HOARDER;
  return licenceKinds.flatMap(({ type, name }, index) => {
    const always = type === 'civil' || everyState;
    if (driver === NEWCOMER ? type !== 'civil' : !always && !random.chance(type === 'admin' ? 0.05 : 0.45))
      return [];
    const state = everyState ? index : type === 'civil' ? 0 : random.whole(1, 9);
    const issued = joined + random.next() * (now - joined) * 0.9;
    return {
      type,
      name,
      issued: Math.round(state === 0 ? joined : issued),
      // The system issues everyone's first licence; an administrator issues the others.
      issuedBy: state === 0 ? 0 : random.whole(1, 8),
      validUntil: Math.round(
        state === 1
          ? issued + random.next() * (now - issued)
          : state >= 5
            ? now + random.between(5, 700) * DAY
            : 0,
      ),
      suspendedUntil: Math.round(state === 2 ? now + random.between(1, 21) * DAY : 0),
      revoked: state === 3,
    };
  });
}

/** A consistent record: roles add up to the total, and parts of a role stay within it. */
function someFigures(random: Random, driver: number, age: number): Driver['figures'] {
  const hours = driver === NEWCOMER ? 1.5 : Math.min((age / HOUR) * 0.3, 4 + random.next() ** 3 * 2500);
  const seconds = Math.round(hours * 3600);
  const shares = { cop: random.next() ** 2 * 0.5, tow: random.next() ** 3 * 0.25 };
  const time = { cop: Math.round(seconds * shares.cop), tow: Math.round(seconds * shares.tow), civil: 0 };
  time.civil = seconds - time.cop - time.tow;
  const metres = Object.fromEntries(
    roles.map((role) => [role, Math.round(time[role] * random.between(8, 21) * 10) / 10]),
  );
  const { cop = 0, civil = 0, tow = 0 } = metres;
  const chasing = random.between(0.05, 0.4);
  const chased = random.between(0.01, 0.15);
  const often = (each: number): number => Math.round(hours * each * random.next());
  return {
    gaming_time_total: seconds,
    gaming_time_cop: time.cop,
    gaming_time_civil: time.civil,
    gaming_time_tow: time.tow,
    gaming_time_chasing: Math.round(time.cop * chasing),
    gaming_time_chased: Math.round(time.civil * chased),
    driven_distance: cop + civil + tow,
    driven_distance_cop: cop,
    driven_distance_civil: civil,
    driven_distance_tow: tow,
    driven_distance_offroad: (cop + civil + tow) * random.between(0, 0.06),
    driven_distance_chasing: cop * chasing,
    driven_distance_chased: civil * chased,
    driven_distance_sos: tow * random.between(0, 0.5),
    sent_money: often(900),
    received_money: often(900),
    earned_refunds: often(150),
    paid_for_renting: often(120),
    received_fines: Math.round(time.cop * random.between(0, 0.4)),
    paid_fines: often(400),
    paid_radar_fines: often(220),
    driving_money_plus: often(4_000),
    driving_money_minus: often(700),
    paid_donation: often(60),
    received_donation: often(60),
    paid_compensation: often(80),
    received_compensation: often(80),
    crashes: often(3),
    chases_won_robber: often(0.5),
    chases_lost_robber: often(0.6),
    chases_won_cop: Math.round(time.cop / 4000),
    chases_lost_cop: Math.round(time.cop / 7000),
    outran_cops: often(0.4),
    cop_xp: Math.round(time.cop / 20),
    robber_xp: often(30),
    rp_xp: often(50),
    gumball_distance: Math.round(civil * 0.01),
    gumball_time: Math.round(time.civil * 0.01),
    winch_used: Math.round(time.tow / 900),
    ramps_placed: Math.round(time.tow / 1800),
    sos_called: often(0.5),
    sos_responded: Math.round(time.tow / 1200),
  };
}

function someProperties(random: Random, driver: number, newId: () => number): Possession[] {
  return propertyKinds.flatMap(({ type, value }) => {
    const count =
      driver === NEWCOMER ? 0 : driver <= HOARDER ? 3 : random.whole(0, type === 'garage' ? 2 : 1);
    return Array.from({ length: count }, () => ({
      id: newId(),
      type,
      condition: random.between(0.3, 1),
      value: Math.round(value * random.between(0.6, 2.5)),
    }));
  });
}

function someOptions(random: Random, driver: number): ReadonlyMap<string, string> {
  return new Map(
    optionValues.flatMap(({ name, values }): [string, string][] =>
      driver === SHOWCASE || (driver !== NEWCOMER && random.chance(0.25))
        ? [[name, random.pick(values)]]
        : [],
    ),
  );
}
