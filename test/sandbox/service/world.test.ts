import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createWorld, type World } from '../../../src/sandbox/service/world.ts';
import { START } from './started.ts';

const DAY = 86_400;
const everything = { stats: true, cars: true, licenses: true, upgrades: true, properties: true };
const whole = { preowners: true, upgrades: true };
const servers = ['one', 'two', 'three', 'four'] as const;

/** All that the service can tell of the world. */
function everythingIn(world: World): string {
  return JSON.stringify([
    world.drivers.map((name) => [world.profile(name, everything), world.options(name)]),
    world.vins.map((vin) => world.car(vin, whole)),
    servers.map((name) => world.live(name)),
    world.chat(),
  ]);
}

const Owned = z.object({
  id: z.int(),
  stats: z.record(z.string(), z.number()),
  cars: z.array(z.object({ vin: z.string() })),
});
const owned = (world: World) =>
  world.drivers.map((username) => ({ username, ...Owned.parse(world.profile(username, everything)) }));

const Vehicle = z.object({
  owner: z.string(),
  idOwner: z.int(),
  dateBuilt: z.int(),
  datePurchase: z.int(),
  odometerKm: z.number(),
  isOnMarket: z.boolean(),
  isWrecked: z.boolean(),
  marketPrice: z.int(),
  numPreowners: z.int(),
  condition: z.number(),
  wear: z.number(),
  preOwners: z.array(z.object({ buyer: z.string(), datePurchase: z.int(), odometerKm: z.number() })),
});

const Seen = z.object({ dateJoined: z.int(), dateLastSeen: z.int() });

test('continues the past into the present: drivers on a server are under way', () => {
  const world = createWorld(7, START);
  world.runTo(START + 90_000);
  const { stays, underWay } = world.past(START - 365 * DAY * 1000);
  const there = servers.flatMap((server) =>
    world.live(server).guests.map(({ username: driver, role }) => ({ driver, server, role })),
  );
  expect(underWay.map(({ driver, server, role }) => ({ driver, server, role }))).toEqual(
    expect.arrayContaining(there),
  );
  expect(underWay).toHaveLength(there.length);
  const byDriver = Map.groupBy([...stays, ...underWay], ({ driver }) => driver);
  for (const username of world.drivers) {
    const { dateJoined, dateLastSeen } = Seen.parse(world.profile(username, everything));
    const own = byDriver.get(username) ?? [];
    expect(own.every(({ from }) => from >= dateJoined * 1000)).toBe(true);
    expect(Math.max(0, ...own.map(({ to }) => to)) / 1000).toBeLessThanOrEqual(dateLastSeen);
    for (const [index, stay] of own.entries())
      expect(stay.from).toBeGreaterThanOrEqual(own[index - 1]?.to ?? 0);
  }
});

const Truth = z.object({
  dateJoined: z.int(),
  stats: z.object({
    gaming_time_total: z.number(),
    gaming_time_cop: z.number(),
    driven_distance: z.number(),
  }),
  licenses: z.array(
    z.object({ type: z.string(), dateIssued: z.int(), validUntil: z.int(), revoked: z.boolean() }),
  ),
});

/** What a driver's own records say against each other, and against what could be seen of them. */
function contradictions(world: World, from: number): string[] {
  const past = world.past(from);
  const stays = Map.groupBy([...past.stays, ...past.underWay], ({ driver }) => driver);
  const cars = owned(world).flatMap((driver) => driver.cars);
  const driven = new Map<string, number>();
  const add = (driver: string, km: number) => driven.set(driver, (driven.get(driver) ?? 0) + km);
  for (const { vin } of cars) {
    const { owner, odometerKm, preOwners } = Vehicle.parse(world.car(vin, whole));
    if (preOwners.length === 0) add(owner, odometerKm);
    preOwners.forEach(({ buyer, odometerKm: bought }, index) => {
      const sold = preOwners[index + 1]?.odometerKm;
      if (sold !== undefined) add(buyer, sold - bought);
    });
  }
  return world.drivers.flatMap((name) => {
    const { stats, licenses, dateJoined } = Truth.parse(world.profile(name, everything));
    const own = stays.get(name) ?? [];
    const seconds = (of: typeof own) => of.reduce((sum, stay) => sum + (stay.to - stay.from) / 1000, 0);
    const police = own.filter(({ role }) => role === 'cop');
    const licence = licenses.find(({ type }) => type === 'cop');
    const mayPolice = (at: number): boolean =>
      licence !== undefined &&
      !licence.revoked &&
      licence.dateIssued <= at / 1000 &&
      (licence.validUntil === 0 || at / 1000 <= licence.validUntil);
    return [
      // The leg under way is on the record when it ends.
      seconds(own) > stats.gaming_time_total + 300 ? 'was seen for longer than they played' : [],
      seconds(police) > stats.gaming_time_cop + 300 ? 'was seen as police for longer than they were' : [],
      (driven.get(name) ?? 0) > stats.driven_distance / 1000 ? 'drove less than their cars' : [],
      own.some((stay) => stay.from < dateJoined * 1000) ? 'was seen before they joined' : [],
      police.some((stay) => !mayPolice(stay.from)) ? 'was on duty without a licence' : [],
    ]
      .flat()
      .map((what) => `${name} ${what}`);
  });
}

test.each([1, 2, 3])('what the world of seed %i says of a driver agrees, after leaps as well', (seed) => {
  const world = createWorld(seed, START, false);
  const since = START - 365 * DAY * 1000;
  expect(contradictions(world, since)).toEqual([]);
  const earlier = world.past(since).stays;
  let now = START;
  for (const leap of [60, 600, 600, 3600, 3600, 600, 60]) {
    world.advance(leap);
    now += 180_000;
    world.runTo(now);
    while (leap === 600 && world.expireLicence() !== null) world.runTo(now);
    expect(contradictions(world, since), `after ${leap} s`).toEqual([]);
  }
  // What was known before is known afterwards: the past does not move.
  const known = new Set(world.past(since).stays.map((stay) => JSON.stringify(stay)));
  expect(earlier.filter((stay) => !known.has(JSON.stringify(stay)))).toEqual([]);
});

test('a driver named after a duty has no other, and a newcomer is no administrator', () => {
  const world = createWorld(1, START, false);
  const duties = { 'Sgt Miller': 'cop', volga: 'cop', towtruck_tim: 'tow', MedicMaja: 'med' };
  const { stays } = world.past(START - 365 * DAY * 1000);
  for (const [driver, duty] of Object.entries({ ...duties, 'taxi driver': null })) {
    const roles = new Set(stays.filter((stay) => stay.driver === driver).map(({ role }) => role));
    expect([...roles].toSorted(), driver).toEqual(['civil', ...(duty === null ? [] : [duty])]);
  }
  expect(world.profile('newbie2026', everything)).toMatchObject({ adminLevel: 0, insimAdmin: false });
});

test('never held more drivers than slots, and is as busy now as in the past', () => {
  const world = createWorld(1, START, false);
  const { stays, underWay } = world.past(START - 365 * DAY * 1000);
  const all = [...stays, ...underWay];
  const slots = { one: 12, two: 24, three: 24, four: 16 };
  for (const server of servers) {
    const changes = all
      .filter((stay) => stay.server === server)
      .flatMap(({ from, to }) => [
        { at: from, by: 1 },
        { at: to, by: -1 },
      ])
      .toSorted((a, b) => a.at - b.at || a.by - b.by);
    let [here, most] = [0, 0];
    for (const { by } of changes) {
      here += by;
      most = Math.max(most, here);
    }
    expect(most, server).toBeLessThanOrEqual(slots[server]);
  }
  const HOUR = 3600_000;
  /** On average, at each hour of a week. */
  const busy = (count: (at: number) => number, from: number): number =>
    Array.from({ length: 168 }, (_, hour) => count(from + hour * HOUR)).reduce((a, b) => a + b) / 168;
  const before = busy(
    (at) => all.filter(({ from, to }) => from <= at && at < to).length,
    START - 7 * DAY * 1000,
  );
  const after = busy((at) => {
    world.runTo(at);
    return servers.reduce((sum, server) => sum + world.live(server).guests.length, 0);
  }, START);
  expect(after / before).toBeGreaterThan(0.8);
  expect(after / before).toBeLessThan(1.25);
});

describe('the seed', () => {
  test('makes the same world twice, and another one another', () => {
    const [first, second, other] = [createWorld(7, START), createWorld(7, START), createWorld(8, START)];
    for (const world of [first, second, other]) world.advance(3600);
    expect(everythingIn(second)).toBe(everythingIn(first));
    expect(everythingIn(other)).not.toBe(everythingIn(first));
  });

  test('and the time alone decide: it does not matter how often anyone looks', () => {
    const [rarely, often] = [createWorld(3, START), createWorld(3, START)];
    for (let second = 1; second <= 5400; second += 61) {
      often.runTo(START + second * 1000);
      often.live('one');
      often.profile('hoarder', everything);
    }
    for (const world of [rarely, often]) world.runTo(START + 5400 * 1000);
    expect(everythingIn(often)).toBe(everythingIn(rarely));
  });
});

describe('the community at the start', () => {
  const world = createWorld(1, START);

  test('is 60 drivers with up to 40 cars each, one with about 300 and one with none', () => {
    expect(new Set(world.drivers).size).toBe(60);
    const counts = owned(world).map(({ username, cars }) => [username, cars.length] as const);
    const count = new Map(counts);
    expect(count.get('hoarder')).toBeGreaterThan(250);
    expect(count.get('newbie2026')).toBe(0);
    const others = counts.filter(([username]) => username !== 'hoarder').map(([, cars]) => cars);
    expect(Math.max(...others)).toBeLessThanOrEqual(41);
  });

  test('has licences in every state', () => {
    const Licences = z.object({
      licenses: z.array(
        z.object({
          issuedBy: z.int(),
          validUntil: z.int(),
          suspendedUntil: z.int(),
          revoked: z.boolean(),
          expired: z.boolean(),
          suspended: z.boolean(),
        }),
      ),
    });
    const { licenses } = Licences.parse(world.profile(world.drivers[0] ?? '', everything));
    const seconds = START / 1000;
    expect(licenses.some(({ issuedBy }) => issuedBy === 0)).toBe(true);
    expect(licenses.some(({ validUntil, revoked }) => validUntil === 0 && !revoked)).toBe(true);
    expect(licenses.some(({ validUntil, expired }) => validUntil > seconds && !expired)).toBe(true);
    expect(licenses.some(({ revoked }) => revoked)).toBe(true);
    for (const { validUntil, suspendedUntil, expired, suspended } of licenses) {
      expect(expired).toBe(validUntil !== 0 && validUntil <= seconds);
      expect(suspended).toBe(suspendedUntil > seconds);
    }
    expect(licenses.filter(({ expired }) => expired)).not.toHaveLength(0);
    expect(licenses.filter(({ suspended }) => suspended)).not.toHaveLength(0);
  });

  test('has cars with earlier owners, for sale, wrecked, never bought, and a mod', () => {
    const vins = owned(world).flatMap(({ cars }) => cars.map(({ vin }) => vin));
    const cars = vins.map((vin) => world.car(vin, whole));
    const some = (name: string, value: unknown) => cars.filter((car) => car?.[name] === value).length;
    expect(some('numPreowners', 3)).toBeGreaterThan(0);
    expect(some('isOnMarket', true)).toBeGreaterThan(0);
    expect(some('isWrecked', true)).toBeGreaterThan(0);
    expect(some('datePurchase', 0)).toBeGreaterThan(0);
    expect(some('type', 'UF1.XMAS')).toBeGreaterThan(0);
    expect(some('type', '3BA1F0')).toBeGreaterThan(0);
  });
});

const nothing = { stats: false, cars: false, licenses: false, upgrades: false, properties: false };

/** What must hold at every moment. */
function whatIsWrong(world: World): string[] {
  const guests = servers.flatMap((name) => world.live(name).guests);
  const { guests: count, maxGuests } = Counts.parse(world.overview('one'));
  return [
    ...(new Set(guests.map(({ driver }) => driver)).size < guests.length
      ? ['somebody is on two servers']
      : []),
    ...(count > maxGuests ? ['server one is more than full'] : []),
    ...guests
      .filter(({ vin }) => vin !== '')
      .map(({ vin, username }) => ({ username, car: world.car(vin, whole) }))
      .filter(({ username, car }) => car?.['owner'] !== username || car['isOnMarket'] === true)
      .map(({ username }) => `${username} drives a car of another's, or one that is for sale`),
    ...world.drivers
      .filter((name) => LastSeen.parse(world.profile(name, nothing)).dateLastSeen > START / 1000)
      .map((name) => `${name} was last seen in the future`),
  ];
}

const Counts = z.object({ guests: z.int(), maxGuests: z.int() });
const LastSeen = z.object({ dateLastSeen: z.int() });

describe('after a day', () => {
  let world: World;
  let before: ReturnType<typeof owned>;
  let after: ReturnType<typeof owned>;
  const seen = {
    roles: new Set<string>(),
    flags: new Set<string>(),
    drivers: new Set<number>(),
    tracks: new Set<string>(),
  };

  const wrong: string[] = [];

  beforeAll(() => {
    world = createWorld(1, START);
    before = owned(world);
    for (let passed = 0; passed < DAY; passed += 120) {
      world.advance(120);
      const shots = servers.map((name) => world.live(name));
      for (const { track, guests } of shots) {
        seen.tracks.add(track);
        for (const { driver, role, flags } of guests) {
          seen.drivers.add(driver);
          seen.roles.add(role);
          for (const [name, on] of Object.entries(flags)) if (on) seen.flags.add(name);
        }
      }
      wrong.push(...whatIsWrong(world).map((what) => `after ${passed} s: ${what}`));
    }
    after = owned(world);
  });

  test('nothing has been wrong at any time', () => {
    expect(wrong).toEqual([]);
  });

  test('people came and went, were on duty, chased and towed, and tracks changed', () => {
    expect(seen.drivers.size).toBeGreaterThan(40);
    expect([...seen.roles].sort()).toEqual(['civil', 'cop', 'med', 'tow']);
    expect([...seen.flags].sort()).toEqual(
      ['caution', 'cop', 'hazard', 'isChased', 'isJoining', 'med', 'siren', 'tow'].sort(),
    );
    expect(seen.tracks.size).toBeGreaterThan(3);
  });

  test('the guests of a server are the players of its live file, and never too many', () => {
    for (const name of ['one', 'two', 'three'] as const) {
      const { guests, maxGuests } = z
        .object({ guests: z.int(), maxGuests: z.int() })
        .parse(world.overview(name));
      expect(world.live(name).guests).toHaveLength(guests);
      expect(guests).toBeLessThanOrEqual(maxGuests);
    }
  });

  test('who is in a live file is online, and drives a car of their own if any', () => {
    const Online = z.object({ isOnline: z.boolean(), dateLastSeen: z.int() });
    for (const { username, vin } of servers.flatMap((name) => world.live(name).guests)) {
      expect(Online.parse(world.profile(username, everything))).toEqual({
        isOnline: true,
        dateLastSeen: START / 1000,
      });
      if (vin !== '') expect(world.car(vin, whole)?.['owner']).toBe(username);
    }
  });

  test('every car has one owner, who lists it, and a history that leads to them', () => {
    const seenVins = new Map<string, number>();
    for (const { id, username, cars } of after) {
      for (const { vin } of cars) {
        expect(seenVins.has(vin)).toBe(false);
        seenVins.set(vin, id);
        const car = Vehicle.parse(world.car(vin, whole));
        expect(car).toMatchObject({ owner: username, idOwner: id, numPreowners: car.preOwners.length });
        expect(car.condition + car.wear).toBeCloseTo(100, 1);
        expect(car.marketPrice > 0).toBe(car.isOnMarket);
        expect(car.isOnMarket && car.isWrecked).toBe(false);
        const purchases = [...car.preOwners.map(({ datePurchase }) => datePurchase), car.datePurchase].filter(
          Boolean,
        );
        expect(purchases).toEqual(purchases.toSorted((a, b) => a - b));
        expect(Math.min(...purchases, START / 1000)).toBeGreaterThanOrEqual(car.dateBuilt);
        const readings = [...car.preOwners.map(({ odometerKm }) => odometerKm), car.odometerKm];
        expect(readings).toEqual(readings.toSorted((a, b) => a - b));
      }
    }
    const earlier = new Map(before.flatMap(({ id, cars }) => cars.map(({ vin }) => [vin, id] as const)));
    const changed = [...seenVins].filter(([vin, id]) => earlier.has(vin) && earlier.get(vin) !== id);
    expect(changed.length).toBeGreaterThan(0);
    expect([...earlier.keys()].filter((vin) => !seenVins.has(vin))).toEqual([]);
  });

  test('records have grown and still add up', () => {
    const total = (list: typeof after, name: string) =>
      list.reduce((sum, { stats }) => sum + (stats[name] ?? 0), 0);
    for (const name of [
      'driven_distance',
      'gaming_time_total',
      'chases_won_cop',
      'sos_responded',
      'crashes',
    ]) {
      expect(total(after, name)).toBeGreaterThan(total(before, name));
    }
    for (const { stats } of after) {
      const { gaming_time_total: time = 0, gaming_time_cop: cop = 0, gaming_time_civil: civil = 0 } = stats;
      expect(cop + civil + (stats['gaming_time_tow'] ?? 0)).toBe(time);
      expect(stats['gaming_time_chasing']).toBeLessThanOrEqual(cop);
      expect(stats['gaming_time_chased']).toBeLessThanOrEqual(civil);
      const roles = ['cop', 'civil', 'tow'].reduce(
        (sum, role) => sum + (stats[`driven_distance_${role}`] ?? 0),
        0,
      );
      expect(Math.abs(roles - (stats['driven_distance'] ?? 0))).toBeLessThan(1);
    }
  });

  test('leaves the clock alone: the past stays, and the future is a day nearer', () => {
    const Dates = z.object({
      dateJoined: z.int(),
      licenses: z.array(z.object({ validUntil: z.int() })),
    });
    const dates = (shown: World) => Dates.parse(shown.profile('hoarder', everything));
    const [fresh, old] = [dates(createWorld(1, START)), dates(world)];
    expect(old.dateJoined).toBe(fresh.dateJoined);
    const ends = fresh.licenses.map(({ validUntil }) =>
      Math.max(Math.min(validUntil, START / 1000), validUntil - DAY),
    );
    expect(old.licenses.map(({ validUntil }) => validUntil)).toEqual(ends);
    expect(ends.some((end) => end > START / 1000)).toBe(true);
    expect(world.live('one').time).toBe(START);
  });
});

test('a gap of a year brings no more than a day of life, and a step back none', () => {
  const after = (days: number) => {
    const world = createWorld(2, START);
    const odometers = () => world.vins.map((vin) => Vehicle.parse(world.car(vin, whole)).odometerKm);
    const before = odometers();
    world.runTo(START + days * DAY * 1000);
    const driven = odometers().reduce((sum, km, index) => sum + km - (before[index] ?? 0), 0);
    return { world, driven };
  };
  const day = after(1).driven;
  expect(day).toBeGreaterThan(0);
  const { world, driven } = after(365);
  expect(driven).toBeLessThan(2 * day);

  expect(world.live('one').time).toBe(START + 365 * DAY * 1000);
  const then = everythingIn(world);
  world.runTo(START);
  expect(everythingIn(world)).toBe(then);
});
