import { licenceKinds, optionValues, propertyKinds } from './catalogue.ts';
import { type Community, type Driver, foldName, type Licence, type Possession } from './community.ts';
import { someFigures, timePlayed } from './figures.ts';
import { createDriven, giveCars } from './give-cars.ts';
import { rolesOf } from './means.ts';
import { type Names, people } from './names.ts';
import { createPast, type Past, YEAR } from './past.ts';
import { createRandom, type Random } from './random.ts';
import { DAY, wholeSeconds } from './time.ts';

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

/** The last one that was made, by what it is made of: many tests begin with the same. */
let last: { readonly key: string; readonly settled: Settled } | null = null;

/** People, under these names, with their possessions, and the year that led to it. */
interface Settled {
  readonly community: Community;
  readonly past: Past;
}

/**
 * The community at `now` (unix milliseconds): its sums, odometers and licences are those of its past. The caller may change it;
 * the past is everybody's.
 */
export function settle(seed: number, now: number, names: readonly Names[]): Settled {
  const key = JSON.stringify([seed, now, names]);
  if (last?.key !== key) last = { key, settled: settleAnew(seed, now, names) };
  const { community, past } = last.settled;
  return { community: structuredClone(community), past };
}

function settleAnew(seed: number, now: number, names: readonly Names[]): Settled {
  const random = createRandom(seed, 'settle');
  const [propertyId, upgradeId] = [countUp(), countUp()];
  const newcomers = people.map(([own, shown, country, duty], index) => {
    const { username, nickname } = names[index] ?? { username: own, nickname: shown };
    const person = someone(random, index + 1, now);
    const licences = licencesFor(duty, someLicences(random, person.id, person.joined, now), person.joined);
    const needsCopTraining = person.needsCopTraining && duty !== 'cop';
    return { ...person, needsCopTraining, licences, username, folded: foldName(username), nickname, country };
  });
  const since = now - YEAR;
  const inThePast = newcomers.map((one) => ({ ...one, rolesAt: (at: number) => rolesOf(one, at) }));
  const past = createPast(seed, inThePast, since, now);
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
    insimAdmin: id <= SHOWCASE || (random.chance(0.06) && id !== NEWCOMER),
    adminLevel: id <= SHOWCASE ? 3 : random.chance(0.1) && id !== NEWCOMER ? random.whole(1, 2) : 0,
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

const duties: readonly string[] = ['cop', 'med', 'tow', 'taxi'];

/** A driver whose name speaks of a duty has its licence, which nothing ends, and that of no other duty. */
function licencesFor(duty: string | undefined, licences: readonly Licence[], joined: number): Licence[] {
  const kind = licenceKinds.find(({ type }) => type === duty);
  if (kind === undefined) return [...licences];
  const own = {
    ...kind,
    issued: joined,
    issuedBy: SHOWCASE,
    validUntil: 0,
    suspendedUntil: 0,
    revoked: false,
  };
  return [...licences.filter(({ type }) => !duties.includes(type)), own];
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
