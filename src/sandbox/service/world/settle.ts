import { licenceKinds, optionValues, propertyKinds } from './catalogue.ts';
import { type Community, type Driver, foldName, type Licence, type Possession } from './community.ts';
import { createDriven, giveCars } from './give-cars.ts';
import { rolesOf } from './means.ts';
import { type Names, people } from './names.ts';
import { createPast, type Past, type Visit, YEAR } from './past.ts';
import { createRandom, type Random } from './random.ts';
import { DAY, SECOND, wholeSeconds } from './time.ts';

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

/** People, under these names, with their possessions, and the year that led to it. */
export interface Settled {
  readonly community: Community;
  readonly past: Past;
}

/** The community at `now` (unix milliseconds): its sums, odometers and licences are those of its past. */
export function settle(seed: number, now: number, names: readonly Names[]): Settled {
  const random = createRandom(seed, 'settle');
  const [propertyId, upgradeId] = [countUp(), countUp()];
  const newcomers = people.map(([own, shown, country], index) => {
    const { username, nickname } = names[index] ?? { username: own, nickname: shown };
    const person = someone(random, index + 1, now);
    const licences = someLicences(random, person.id, person.joined, now);
    return { ...person, licences, username, folded: foldName(username), nickname, country };
  });
  const since = now - YEAR;
  const past = createPast(
    seed,
    newcomers.map((one) => ({ ...one, rolesAt: (at) => rolesOf(one, at) })),
    since,
    now,
  );
  const visits = Map.groupBy(past.visits, ({ driver }) => driver);
  const drivers = newcomers.map((person, index): Driver => {
    const over = (visits.get(index) ?? []).filter(({ to }) => to <= now);
    const underWay = (visits.get(index) ?? []).some(({ to }) => to > now);
    const time = timePlayed(random, person, { visits: visits.get(index) ?? [], since, now });
    const figures = someFigures(random, time);
    const properties = someProperties(random, person.id, propertyId);
    const lastSeen = underWay ? now : (over.at(-1)?.to ?? person.joined);
    return { ...person, lastSeen, figures, properties, options: someOptions(random, person.id) };
  });
  const community: Community = { drivers, cars: new Map() };
  const driven = createDriven(drivers);
  for (const driver of drivers) {
    const count = garages.get(driver.id) ?? Math.floor(random.next() ** 2 * 41);
    giveCars(community, random, driver, { count, now, driven, newId: upgradeId });
  }
  return { community, past };
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
    joined: wholeSeconds(joined),
    keenness: id === NEWCOMER ? 0.3 : random.between(0.3, 2),
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

/** Seconds in each role; medics count as civil. */
type TimePlayed = Readonly<Record<(typeof roles)[number], number>>;

/** All visits, and before their year some hours for every week, on duty where a licence is as old. */
function timePlayed(
  random: Random,
  { joined, keenness, licences }: Pick<Driver, 'joined' | 'keenness' | 'licences'>,
  known: { readonly visits: readonly Visit[]; readonly since: number; readonly now: number },
): TimePlayed {
  const time = { cop: 0, tow: 0, civil: 0 };
  for (const { role, from, to } of known.visits)
    time[role === 'med' ? 'civil' : role] += (Math.min(to, known.now) - from) / SECOND;
  const earlier = (Math.max(0, known.since - joined) * keenness * 0.03) / SECOND;
  const onDuty = (role: 'cop' | 'tow', share: number): number =>
    licences.some(({ type, issued }) => type === role && issued < known.since) ? earlier * share : 0;
  const cop = onDuty('cop', random.next() ** 2 * 0.5);
  const tow = onDuty('tow', random.next() ** 3 * 0.25);
  return {
    cop: Math.round(time.cop + cop),
    tow: Math.round(time.tow + tow),
    civil: Math.round(time.civil + earlier - cop - tow),
  };
}

/** A consistent record: roles add up to the total, and parts of a role stay within it. */
function someFigures(random: Random, time: TimePlayed): Driver['figures'] {
  const seconds = time.cop + time.tow + time.civil;
  const hours = seconds / 3600;
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
