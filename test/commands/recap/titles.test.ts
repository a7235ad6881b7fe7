/** Titles of a community whose drivers have all kinds of habits: each is true by a count of minutes, and none is everybody's. */
import { describe, expect, test } from 'vitest';
import { recapFacts, type Title, titleOf } from '../../../commands/recap/models/facts.ts';
import { monthAt, spanOf } from '../../../commands/recap/models/period.ts';
import { DAY, HOUR, MINUTE } from '../../../src/base/duration.ts';
import type { Session } from '../../../src/community/history/history.ts';
import { createRandom } from '../../../src/sandbox/service/world/random.ts';

/** A month that begins on a Sunday and ends on a Monday. */
const [BEGIN, END] = [Date.UTC(2026, 10, 1), Date.UTC(2026, 11, 1)];
const DAYS = 30;
const zone = 'UTC';
const coverage = { since: BEGIN - 60 * DAY, until: END, holes: [] };
const servers = ['one', 'two', 'three', 'four'] as const;
const roles = ['police', 'medic', 'tow'] as const;

/** A driver's month by habits of their own: hours, days, servers and roles. Whole minutes. One in twelve is new in that month. */
function drive(driver: number, seed: number) {
  const random = createRandom(seed * 1000 + driver, 'habits');
  const [home, loyalty, keenness] = [random.pick(servers), random.next(), random.between(0.1, 1)];
  const [peak, spread] = [
    random.next() < 0.15 ? random.between(5, 16) : random.between(16, 25),
    random.between(0.5, 5),
  ];
  const [weekdayShare, length] = [random.next() < 0.2 ? 0.1 : 1, random.between(15, 140)];
  const [role, roleShare] = [random.pick(roles), random.next() < 0.35 ? random.next() : 0];
  const first = random.next() < 0.08 ? Math.floor(random.between(5, 25)) : 0;
  const sessions: Session[] = [];
  for (let day = first; day < DAYS; day += 1) {
    const isWeekend = [0, 6].includes(new Date(BEGIN + day * DAY).getUTCDay());
    if (random.next() > keenness * (isWeekend ? 1 : weekdayShare)) continue;
    const hour = Math.max(0, peak + random.between(-spread, spread));
    let at = BEGIN + day * DAY + MINUTE * Math.round(hour * 60);
    for (let stay = random.next() < 0.1 ? 6 : 2; stay > 0; stay -= 1) {
      const played = MINUTE * Math.round(1 + random.next() * 2 * length);
      const server = random.next() < loyalty ? home : random.pick(servers);
      const onDuty = random.next() < roleShare ? played : 0;
      const duty = { police: 0, medic: 0, tow: 0, [role]: onDuty };
      const [from, to] = [at, at + played];
      if (to <= END) sessions.push({ from, to, server, played, duty, startKnown: true, endKnown: true });
      at = to + MINUTE * Math.round(random.between(1, 60));
    }
  }
  const firstSeen = first === 0 ? BEGIN - 40 * DAY : (sessions[0]?.from ?? null);
  return { sessions, firstSeen };
}

/** The minutes of a month by what they were spent on. */
function countMinutes({ sessions, firstSeen }: ReturnType<typeof drive>) {
  const minutes = new Map<string, number>();
  for (const { from, to, server, duty } of sessions)
    for (let at = from; at < to; at += MINUTE) {
      const wall = new Date(at);
      const role = roles.find((each) => (duty?.[each] ?? 0) > 0) ?? 'civil';
      const keys = [
        ...['all', server, role, `hour ${wall.getUTCHours()}`],
        ...[`weekday ${wall.getUTCDay()}`, `day ${wall.getUTCDate()}`],
      ];
      for (const key of keys) minutes.set(key, (minutes.get(key) ?? 0) + 1);
    }
  const sum = (...keys: readonly string[]): number =>
    keys.reduce((total, key) => total + (minutes.get(key) ?? 0), 0);
  const days = [...minutes].filter(([key]) => key.startsWith('day ')).map(([, count]) => count);
  return {
    sum,
    share: (...keys: readonly string[]): number => sum(...keys) / sum('all'),
    firstSeen,
    days: days.length,
    busiest: Math.max(0, ...days),
  };
}

const hours = (...all: readonly number[]): readonly string[] => all.map((hour) => `hour ${hour}`);

/** The claim of each title, as its text has it. */
const claims: Readonly<Record<Title, (month: ReturnType<typeof countMinutes>) => boolean>> = {
  newcomer: ({ firstSeen, days }) => firstSeen !== null && firstSeen > END - 30 * DAY && days < 10,
  police: ({ share }) => share('police') >= 0.38,
  medic: ({ share }) => share('medic') >= 0.38,
  tow: ({ share }) => share('tow') >= 0.38,
  marathon: ({ busiest, sum, days }) => busiest >= 6 * 60 && busiest >= (3 * sum('all')) / days,
  everywhere: ({ share }) => servers.filter((server) => share(server) >= 0.2).length >= 3,
  loyal: ({ share }) => servers.some((server) => share(server) >= 0.9),
  weekend: ({ share }) => share('weekday 6', 'weekday 0') >= 2 / 3,
  morning: ({ share }) => share(...hours(5, 6, 7, 8, 9)) >= 0.5,
  night: ({ share }) => share(...hours(22, 23, 0, 1, 2, 3)) >= 0.5,
  evening: ({ share }) => share(...hours(18, 19, 20, 21)) >= 0.5,
  daily: ({ days }) => days >= 27,
  regular: ({ days }) => days >= 10,
};

async function titledDrivers(seed: number) {
  const period = monthAt(zone, BEGIN);
  const span = spanOf(period, zone, { since: coverage.since, now: END });
  const drivers = Array.from({ length: 200 }, (_, driver) => drive(driver, seed));
  return Promise.all(
    drivers.map(async (driver) => {
      const rest = { before: null, readings: [], coverage, now: END };
      const facts = await recapFacts({ period, zone, span, ...driver, ...rest });
      return { title: titleOf(facts), facts, month: countMinutes(driver) };
    }),
  );
}

describe.each([1, 2, 3])('in community %i of 200 drivers', async (seed) => {
  const drivers = await titledDrivers(seed);

  test('each title is true by a count of minutes', () => {
    const titled = drivers.flatMap(({ title, month }) => (title === null ? [] : [{ title, month }]));
    expect(titled.length).toBeGreaterThan(150);
    expect(titled.filter(({ title, month }) => !claims[title](month))).toEqual([]);
  });

  test('no title is that of more than a quarter of the busy drivers, and all are given', () => {
    const busy = drivers.filter(({ facts }) => facts.days >= 10 || facts.time >= 10 * HOUR);
    expect(busy.length).toBeGreaterThan(120);
    const counts = Map.groupBy(busy, ({ title }) => title);
    counts.delete(null);
    for (const [title, { length }] of counts)
      expect(length, String(title)).toBeLessThanOrEqual(busy.length / 4);
    expect(new Set(drivers.map(({ title }) => title)).size).toBeGreaterThanOrEqual(13);
  });
});
