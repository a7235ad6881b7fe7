/** Which profiles of kept drivers are looked up around the turn of a month, and at what cost. */
import { expect, onTestFinished, test } from 'vitest';
import { createMonthKeeper } from '../../../../commands/recap/jobs/keep-months.ts';
import { MAX_OFF_TURN } from '../../../../commands/recap/models/facts.ts';
import { DAY, HOUR, MINUTE } from '../../../../src/base/duration.ts';
import { createJob } from '../../../../src/base/job.ts';
import { createListeners } from '../../../../src/base/listeners.ts';
import type { Observation } from '../../../../src/service/endpoints.ts';
import { createLookUps, type Subject } from '../../../../src/service/look-ups.ts';
import { VirtualTime } from '../../../sim/virtual-time.ts';
import { driverJson, driver as driverRecord, serviceOf } from '../../../support/records.ts';
import { tellTime } from '../../../support/tell-time.ts';

/** The turn to December in UTC. */
const TURN = Date.UTC(2026, 11, 1);

/** People, their zones, and readings as history keeps them: the first one of each UTC day. */
function setUp(
  people: number,
  {
    from = TURN - 4 * DAY,
    zone = null as string | null,
    others = [] as readonly Subject[],
    brokenPerson = '',
  } = {},
) {
  const time = new VirtualTime(from);
  const { clock } = time;
  const readings = new Map<string, number[]>();
  const requests: { readonly driver: string; readonly at: number }[] = [];
  const hidden = new Set<string>();
  const unlinked = new Set<string>();
  /** Drivers whose profile has no figures. */
  const blank = new Set<string>();
  const observations = createListeners<[Observation, number]>();
  const service = serviceOf(
    ({ asked }) => {
      const { username } = asked as { readonly username: string };
      requests.push({ driver: username, at: clock.now() });
      const kept = readings.get(username) ?? [];
      if (!blank.has(username) && !kept.some((at) => Math.floor(at / DAY) === Math.floor(clock.now() / DAY)))
        readings.set(username, [...kept, clock.now()]);
      observations.call({ kind: 'profile', record: driverRecord({ username }) }, clock.now());
      return { ...driverJson, username };
    },
    () => ({ asOf: clock.now(), stale: null }),
  );
  const failed = (error: unknown): void => {
    throw error;
  };
  // A list of many people is made in one turn, however slow the machine is.
  tellTime(() => 0);
  const names = Array.from({ length: people }, (_, index) => `driver${index}`);
  /** Drivers whose months are kept, by person: at first the driver with the same name. */
  const kept = new Map(names.map((name) => [name, name]));
  const keeper = createMonthKeeper({
    keepers: async () => names.map((name) => ({ personId: name, driver: name })),
    keptDriver: async (personId) => kept.get(personId) ?? null,
    zoneOf: async (personId) => (personId === brokenPerson ? 'No/Zone' : zone),
    history: {
      readings: async (driver) => (readings.get(driver) ?? []).map((at) => ({ at, figures: { money: 1 } })),
    },
    hidden: {
      isHidden: (username) => hidden.has(username),
      isLinked: (username) => !unlinked.has(username),
    },
    clock,
  });
  const lookUps = createLookUps({ service, observations, clock, onFailure: failed });
  lookUps.want(keeper.subjects);
  observations.listen(keeper.observed);
  lookUps.want(() => others);
  const keeping = createJob(clock, 10 * MINUTE, keeper.refresh, brokenPerson === '' ? failed : () => {});
  void keeping.start(10 * MINUTE);
  onTestFinished(async () => {
    await time.until(Promise.all([keeping.stop(), lookUps.stop()]));
  });
  const of = (driver: string) => requests.filter((one) => one.driver === driver).map(({ at }) => at);
  return { time, readings, requests, hidden, unlinked, blank, kept, keeper, names, of };
}

test.each([null, 'America/Los_Angeles', 'Pacific/Auckland'])(
  'reads each driver once on each side of the turn, at most two days off: in %s',
  async (zone) => {
    const turn =
      { null: TURN, 'America/Los_Angeles': TURN + 8 * HOUR, 'Pacific/Auckland': TURN - 13 * HOUR }[
        String(zone)
      ] ?? 0;
    const { time, of } = setUp(1, { zone });
    await time.pass(7 * DAY);
    const [before = 0, after = 0, ...more] = of('driver0');
    expect(more).toEqual([]);
    expect(before).toBeLessThan(turn);
    expect(turn - before).toBeLessThanOrEqual(MAX_OFF_TURN);
    expect(after).toBeGreaterThanOrEqual(turn);
    expect(after - turn).toBeLessThanOrEqual(MAX_OFF_TURN);
  },
);

test('nobody is read where a reading lies near enough, or who is hidden', async () => {
  const { time, readings, hidden, requests } = setUp(2);
  readings.set('driver0', [TURN - 40 * HOUR, TURN + HOUR]);
  hidden.add('driver1');
  await time.pass(7 * DAY);
  expect(requests).toEqual([]);
});

test.each(['turned it off', 'hid the driver', 'deleted everything'])(
  'is not read once the person has %s, however lately the list was made',
  async (deed) => {
    const { time, requests, hidden, unlinked, keeper } = setUp(1, { from: TURN - DAY });
    await keeper.refresh();
    expect(keeper.subjects()).toHaveLength(1);
    if (deed === 'turned it off') keeper.drop('driver0');
    else (deed === 'hid the driver' ? hidden : unlinked).add('driver0');
    expect(keeper.subjects()).toEqual([]);
    await time.pass(9 * MINUTE);
    expect(requests).toEqual([]);
  },
);

test('a driver who was linked instead while the list is made is not read', async () => {
  const { time, kept, requests } = setUp(1);
  kept.set('driver0', 'earlier_driver');
  await time.pass(7 * DAY);
  expect(requests).toEqual([]);
});

test('what is turned off or read while the list is made is not on it', async () => {
  const { readings, kept, keeper, time } = setUp(2, { from: TURN - DAY });
  // The first person's answers come while the others are still looked for.
  const refreshing = keeper.refresh();
  kept.delete('driver0');
  keeper.drop('driver0');
  await refreshing;
  expect(keeper.subjects().map(({ name }) => name)).toEqual(['driver1']);
  const again = keeper.refresh();
  keeper.observed({ kind: 'profile', record: driverRecord({ username: 'driver1' }) }, time.clock.now());
  await again;
  expect(keeper.subjects()).toEqual([]);
  expect(readings.size).toBe(0);
});

test('a person who cannot be read leaves nobody else out', async () => {
  const { time, of } = setUp(3, { brokenPerson: 'driver1' });
  await time.pass(7 * DAY);
  expect(['driver0', 'driver1', 'driver2'].map((name) => of(name).length)).toEqual([2, 0, 2]);
});

test('a profile without figures is read once on each side too', async () => {
  const { time, blank, of } = setUp(1);
  blank.add('driver0');
  await time.pass(7 * DAY);
  expect(of('driver0')).toHaveLength(2);
});

test('a reading before the turn does not stand for the side after it', async () => {
  const { time, readings } = setUp(1, { from: TURN - 24 * HOUR, zone: 'Pacific/Auckland' });
  // The turn is at 11:00 of that UTC day, of which history keeps one reading.
  readings.set('driver0', [TURN - 22 * HOUR]);
  await time.pass(3 * DAY);
  expect(readings.get('driver0')?.at(-1)).toBeGreaterThanOrEqual(TURN);
});

test('those read longest ago come first', async () => {
  const { time, readings, requests } = setUp(3);
  readings.set('driver0', [TURN - 20 * DAY]);
  readings.set('driver1', [TURN - 30 * DAY]);
  readings.set('driver2', [TURN - 25 * DAY]);
  await time.pass(3 * DAY);
  expect(requests.map(({ driver }) => driver)).toEqual(['driver1', 'driver2', 'driver0']);
});

/** The most requests within any hour. */
function mostInAnHour(requests: readonly { readonly at: number }[]): number {
  const counts = requests.map(
    ({ at }) => requests.filter((one) => one.at > at - HOUR && one.at <= at).length,
  );
  return Math.max(...counts);
}

test('forty people cost at most sixty look-ups an hour, and each is kept on both sides', async () => {
  const { time, requests, names, of } = setUp(40, { from: TURN - 2 * HOUR });
  await time.pass(4 * HOUR);
  expect(mostInAnHour(requests)).toBeLessThanOrEqual(60);
  for (const name of names) expect(of(name)).toHaveLength(2);
});

test('five hundred people cost sixty look-ups an hour, those read longest ago first', async () => {
  const { time, readings, requests, names } = setUp(500, { from: TURN - 9 * HOUR });
  const hoursAgo = (index: number): number => 480 + ((index * 7) % 500);
  for (const [index, name] of names.entries()) readings.set(name, [TURN - hoursAgo(index) * HOUR]);
  const longestAgoFirst = [...names.entries()].toSorted(([a], [b]) => hoursAgo(b) - hoursAgo(a));
  await time.pass(9 * HOUR - MINUTE);
  expect(mostInAnHour(requests)).toBe(60);
  expect(requests.map(({ driver }) => driver)).toEqual(longestAgoFirst.map(([, name]) => name));
});

test('every look-up that is overdue goes before them', async () => {
  // An alert's, which wants its driver every five minutes.
  const alert: Subject = {
    kind: 'profile',
    name: 'watched',
    every: 5 * MINUTE,
    isUrgent: false,
    knownAt: null,
  };
  const { time, of } = setUp(500, { from: TURN - MAX_OFF_TURN, others: [alert] });
  await time.pass(2 * HOUR);
  const times = of('watched');
  const waits = times.slice(1).map((at, index) => at - (times[index] ?? 0));
  expect(Math.max(...waits)).toBeLessThanOrEqual(7 * MINUTE);
});
