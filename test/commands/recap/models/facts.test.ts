/** The sums of recaps, beside ones that are counted minute by minute from the same sessions. */
import { describe, expect, test } from 'vitest';
import { recapFacts, titleOf } from '../../../../commands/recap/models/facts.ts';
import { ALL, monthAt, neighboursOf, spanOf, usualPeriod } from '../../../../commands/recap/models/period.ts';
import { DAY, HOUR, MINUTE } from '../../../../src/base/duration.ts';
import { memoiseByKey } from '../../../../src/base/memoise.ts';
import type { ProfileReading, Session, Stretch } from '../../../../src/community/history/history.ts';
import { createRandom } from '../../../../src/sandbox/service/world/random.ts';
import { tellTime } from '../../../support/tell-time.ts';

/** Over the end of summer time in both hemispheres' order, and over New Year. */
const [OCTOBER, FEBRUARY] = [Date.UTC(2026, 9, 1), Date.UTC(2027, 1, 1)];
const NOW = FEBRUARY + 3 * DAY;
const zones = ['Europe/Berlin', 'America/Los_Angeles', 'Australia/Lord_Howe'];
const everything = { since: OCTOBER - 40 * DAY, until: NOW, holes: [] };
const servers = ['one', 'two', 'three', 'four'] as const;

const session = (from: number, to: number, changes: Partial<Session> = {}): Session => ({
  ...{ from, to, server: 'two', played: to - from, duty: { police: 0, medic: 0, tow: 0 } },
  ...{ startKnown: true, endKnown: true },
  ...changes,
});

/** A driver with about two sessions a day of up to four hours, whole minutes each, so that many are over midnight. */
function drive(seed: number): readonly Session[] {
  const random = createRandom(seed, 'recap');
  const found: Session[] = [];
  for (let at = OCTOBER - 2 * DAY; at < FEBRUARY; ) {
    const from = at + MINUTE * Math.round(random.between(60, 900));
    const to = from + MINUTE * Math.round(random.between(2, 240));
    const police = random.next() < 0.5 ? to - from : 0;
    found.push(session(from, to, { server: random.pick(servers), duty: { police, medic: 0, tow: 0 } }));
    at = to;
  }
  return found;
}

const HALF_HOUR = HOUR / 2;

/** "2026-10-25 02" by `Intl` alone. Clocks of these zones show another one only where a half hour begins in UTC. */
const wallHour = memoiseByKey((zone: string) => {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit' } as const;
  const format = new Intl.DateTimeFormat('sv-SE', { ...parts, timeZone: zone, hourCycle: 'h23' });
  return memoiseByKey((halfHour: number) => format.format(halfHour * HALF_HOUR));
});

/** By month: "2026-10". */
function countMinutes(sessions: readonly Session[], zone: string) {
  const months = new Map<string, Map<string, number>>();
  for (const { from, to, server, duty } of sessions)
    for (let at = from; at < to; at += MINUTE) {
      const wall = wallHour(zone)(Math.floor(at / HALF_HOUR));
      const counts = months.get(wall.slice(0, 7)) ?? new Map<string, number>();
      months.set(wall.slice(0, 7), counts);
      const duties = duty !== null && duty.police > 0 ? ['police'] : [];
      const day = wall.slice(0, 10);
      const keys = [
        'all',
        `day ${day}`,
        `hour ${Number(wall.slice(11, 13))}`,
        `weekday ${(new Date(day).getUTCDay() + 6) % 7}`,
        server,
        ...duties,
      ];
      for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  return months;
}

function factsOf(sessions: readonly Session[], zone: string, [year, month]: readonly [number, number]) {
  const period = monthAt(zone, Date.UTC(year, month - 1, 15));
  const known = { since: everything.since, now: NOW };
  const span = spanOf(period, zone, known);
  const before = { span: spanOf(period - 1, zone, known), sessions };
  const input = { sessions, before, firstSeen: null, readings: [], coverage: everything };
  return recapFacts({ period, zone, span, ...input, now: NOW });
}

const isoDay = (zone: string, at: number): string => wallHour(zone)(Math.floor(at / HALF_HOUR)).slice(0, 10);

const drivers = [1, 2, 3, 4, 5, 6].map(drive);

describe.each(zones)('in %s', (zone) => {
  const counted = drivers.map((sessions) => ({ sessions, months: countMinutes(sessions, zone) }));

  // Clocks change in October or November, November ends on a Monday, and New Year comes after December.
  test.each([
    [2026, 10],
    [2026, 11],
    [2026, 12],
    [2027, 1],
  ] as const)('sums of six drivers in %i-%i are those of a count by minutes', async (year, month) => {
    for (const { sessions, months } of counted) {
      const counts = months.get(`${year}-${String(month).padStart(2, '0')}`) ?? new Map<string, number>();
      const minutes = (key: string): number => counts.get(key) ?? 0;
      const nameBefore = new Date(Date.UTC(year, month - 2)).toISOString().slice(0, 7);
      const minutesBefore = months.get(nameBefore)?.get('all') ?? 0;
      const facts = await factsOf(sessions, zone, [year, month]);
      const days = [...counts].filter(([key]) => key.startsWith('day'));
      const busiest = Math.max(...days.map(([, count]) => count));
      const [server = 'one'] = servers.toSorted((a, b) => minutes(b) - minutes(a));
      const sums: readonly (readonly [what: string, ms: number, minutes: number])[] = [
        ['all', facts.time, minutes('all')],
        ...facts.parts.map(
          ({ from, time }) => [isoDay(zone, from), time, minutes(`day ${isoDay(zone, from)}`)] as const,
        ),
        ...facts.hours.map((ms, hour) => [`hour ${hour}`, ms, minutes(`hour ${hour}`)] as const),
        ...facts.weekdays.map((ms, day) => [`weekday ${day}`, ms, minutes(`weekday ${day}`)] as const),
        ['more than the month before', facts.more ?? Number.NaN, minutes('all') - minutesBefore],
        ['busiest', facts.busiest?.time ?? 0, busiest],
        ['police', facts.duty?.time ?? 0, minutes('police')],
        [server, (facts.server?.share ?? 0) * facts.time, minutes(server)],
      ];
      // Far below the minute that would do.
      const wrong = sums.filter(([, ms, counted]) => !(Math.abs(ms / MINUTE - counted) <= 0.001));
      expect(wrong).toEqual([]);
      expect(minutes('all')).toBeGreaterThan(3000);
      expect(facts.parts).toHaveLength(new Date(Date.UTC(year, month, 0)).getUTCDate());
      expect(facts.days).toBe(days.length);
      expect(minutes(`day ${isoDay(zone, facts.busiest?.at ?? 0)}`)).toBe(busiest);
      expect(facts.server?.server).toBe(server);
    }
  });
});

const zone = 'UTC';
const NOVEMBER = spanOf(monthAt(zone, Date.UTC(2026, 10, 1)), zone, { since: 0, now: NOW });

function november(changes: Partial<Parameters<typeof recapFacts>[0]> = {}) {
  const period = monthAt(zone, NOVEMBER.from);
  const nothing = {
    sessions: [],
    before: null,
    firstSeen: null,
    readings: [],
    coverage: everything,
    now: NOW,
  };
  return recapFacts({ period, zone, span: NOVEMBER, ...nothing, ...changes });
}

const known = (from: number, to: number, holes: readonly Stretch[] = []) => ({
  coverage: { since: NOVEMBER.from + from * DAY, until: NOVEMBER.from + to * DAY, holes },
});

test('a day without the bot is unknown, and a day with few gaps is not', async () => {
  const hole = (from: number, hours: number) => ({
    from: NOVEMBER.from + from * DAY,
    to: NOVEMBER.from + from * DAY + hours * HOUR,
  });
  const { parts, missing } = await november(known(0, 30, [hole(3, 24), hole(7, 11), hole(9, 13)]));
  expect(missing).toBe(48 * HOUR);
  expect(parts.flatMap(({ state }, day) => (state === 'unknown' ? [day] : []))).toEqual([3, 9]);
  // Days to come are neither known nor unknown.
  const early = await november({ ...known(0, 5), now: NOVEMBER.from + 5 * DAY });
  expect(early.parts.map(({ state }) => state)).toEqual([
    ...Array(5).fill('known'),
    ...Array(25).fill('ahead'),
  ]);
  expect(early.missing).toBe(0);
});

test('three known days are too few for a picture and a title, four are enough', async () => {
  const sessions = [session(NOVEMBER.from + 28 * DAY, NOVEMBER.from + 28 * DAY + 5 * HOUR)];
  expect((await november({ ...known(27, 30), sessions })).isThin).toBe(true);
  expect(titleOf(await november({ ...known(27, 30), sessions }))).toBeNull();
  expect((await november({ ...known(26, 30), sessions })).isThin).toBe(false);
  expect(titleOf(await november({ ...known(26, 30), sessions }))).not.toBeNull();
});

test('a year of which a tenth is known is too little, and more is enough', async () => {
  const span = spanOf(2026, zone, { since: 0, now: NOW });
  const isThin = async (days: number) => {
    const coverage = { since: span.from, until: span.from + days * DAY, holes: [] };
    const nothing = { sessions: [], before: null, firstSeen: null, readings: [] };
    const input = { period: 2026, zone, span, ...nothing, coverage, now: NOW };
    return (await recapFacts(input)).isThin;
  };
  expect([await isThin(36), await isThin(37)]).toEqual([true, false]);
});

test('nobody has a title for less than two hours online', async () => {
  const sessions = (hours: number) => [session(NOVEMBER.from, NOVEMBER.from + hours * HOUR)];
  expect(titleOf(await november({ sessions: sessions(1.9) }))).toBeNull();
  expect(titleOf(await november({ sessions: sessions(2) }))).not.toBeNull();
});

describe('the time against the month before', () => {
  const span = spanOf(monthAt(zone, OCTOBER), zone, { since: 0, now: NOW });
  const before = { span, sessions: [session(span.from - HOUR, span.from + 2 * HOUR)] };
  const sessions = [session(NOVEMBER.from, NOVEMBER.from + 5 * HOUR)];
  const hole = (from: number) => ({ coverage: { ...everything, holes: [{ from, to: from + HOUR }] } });

  test('is what the whole month had more, or less', async () => {
    expect((await november({ before, sessions })).more).toBe(3 * HOUR);
    expect((await november({ before })).more).toBe(-2 * HOUR);
  });

  test.each([
    ['there was none', { before: null }],
    ['a part of it is not known', hole(span.from + DAY)],
    ['a part of the month is not known', hole(NOVEMBER.from + DAY)],
    ['the month is not over', { now: NOVEMBER.to - 1 }],
  ])('is not told where %s', async (_why, changes) => {
    expect((await november({ before, sessions, ...changes })).more).toBeNull();
  });
});

describe('gains', () => {
  const reading = (at: number, km: number, money: number): ProfileReading => ({
    at,
    figures: { driven_distance: km * 1000, money },
  });
  const [begin, end] = [NOVEMBER.from, NOVEMBER.to];

  test('count the chases of both roles, or none', async () => {
    const won = (at: number, cop: number, robber?: number): ProfileReading => ({
      at,
      figures: { chases_won_cop: cop, ...(robber === undefined ? {} : { chases_won_robber: robber }) },
    });
    const chases = async (...readings: readonly ProfileReading[]) =>
      (await november({ readings })).gains?.chases;
    expect(await chases(won(begin, 3, 4), won(end, 5, 9))).toBe(7);
    expect(await chases(won(begin, 3, 4), won(end, 5))).toBeNull();
  });

  test('are the difference of the readings nearest both ends, with their own dates', async () => {
    const readings = [
      reading(begin - 47 * HOUR, 90, 50),
      reading(begin + 25 * HOUR, 100, 1000),
      reading(begin + 10 * DAY, 500, 9000),
      reading(end - 20 * HOUR, 1304, 87_300),
      reading(end + 30 * HOUR, 2000, 99_999),
    ];
    expect((await november({ readings })).gains).toEqual({
      ...{ from: begin + 25 * HOUR, to: end - 20 * HOUR },
      ...{ distance: 1_204_000, money: 86_300, chases: null },
    });
  });

  test.each([
    ['the first is more than two days off', [begin + 48 * HOUR + 1, end]],
    ['the last is more than two days off', [begin, end - 48 * HOUR - 1]],
    ['one reading is all there is', [begin]],
    ['there is none', []],
  ])('are unknown where %s', async (_why, times) => {
    expect(
      (await november({ readings: times.map((at, index) => reading(at, 100 * index, 5)) })).gains,
    ).toBeNull();
  });

  test('lack a figure that one of the readings lacks, and one that became less', async () => {
    const before: ProfileReading = { at: begin, figures: { money: 100 } };
    const gainsOf = async (first: ProfileReading) =>
      (await november({ readings: [first, reading(end, 5, 140)] })).gains;
    expect(await gainsOf(before)).toMatchObject({ distance: null, money: 40 });
    expect(await gainsOf(reading(begin, 9, 141))).toMatchObject({ distance: null, money: null });
  });
});

test('time that a session was not seen is not counted, and its rest counts evenly', async () => {
  const from = NOVEMBER.to - HOUR;
  const facts = await november({ sessions: [session(from, from + 2 * HOUR, { played: HOUR })] });
  expect(facts.time).toBe(HOUR / 2);
});

test.each([
  ['police', { duty: { police: 2 * HOUR, medic: HOUR, tow: 0 } }, 20],
  ['tow', { duty: { police: 0, medic: 0, tow: 3 * HOUR } }, 20],
  ['night', {}, 23],
  ['morning', {}, 6],
  ['loyal', {}, 15],
] as const)('the title is %s by its rule', async (title, changes, hour) => {
  const sessions = [2, 4, 9].map((day) => {
    const from = NOVEMBER.from + day * DAY + hour * HOUR;
    return session(from, from + 3 * HOUR, changes);
  });
  expect(titleOf(await november({ sessions }))).toBe(title);
});

/** Times by place, in ms: all zero, except for one of so many hours. */
const at = (place: number, hours: number, length: number): readonly number[] =>
  Array.from({ length }, (_, other) => (other === place ? hours * HOUR : 0));

test.each([
  ['night', { hours: at(3, 50, 24) }],
  [null, { hours: at(3, 49, 24) }],
  [null, { hours: at(4, 100, 24) }],
  ['morning', { hours: at(5, 50, 24) }],
  [null, { hours: at(10, 100, 24) }],
  ['evening', { hours: at(18, 50, 24) }],
  ['night', { hours: at(22, 50, 24) }],
  ['weekend', { weekdays: at(5, 67, 7) }],
  [null, { weekdays: at(5, 66, 7) }],
  [null, { weekdays: at(4, 100, 7) }],
  ['everywhere', { servers: [20, 20, 20, 40].map((hours) => hours * HOUR) }],
  [null, { servers: [19, 19, 20, 42].map((hours) => hours * HOUR) }],
  ['police', { duty: { role: 'police', time: 38 * HOUR } }],
  [null, { duty: { role: 'police', time: 37 * HOUR } }],
  ['marathon', { days: 60, elapsed: 365 * DAY, busiest: { at: 0, time: 6 * HOUR } }],
  ['regular', { days: 60, elapsed: 365 * DAY, busiest: { at: 0, time: 6 * HOUR - 1 } }],
  ['regular', { days: 49, elapsed: 365 * DAY, busiest: { at: 0, time: 6 * HOUR } }],
  ['loyal', { server: { server: 'two', share: 0.9 } }],
  [null, { server: { server: 'two', share: 0.89 } }],
] as const)('a title needs its share of the time, and %s is that of %j', async (title, changes) => {
  const facts = await november({});
  expect(titleOf({ ...facts, time: 100 * HOUR, days: 9, ...changes })).toBe(title);
});

test('the default period is the last month in the first week, if it has data', () => {
  const at = (day: number, hour = 12) => Date.UTC(2026, 11, day, hour);
  const december = monthAt('UTC', at(5));
  expect(usualPeriod('UTC', { since: 0, now: at(7) })).toBe(december - 1);
  expect(usualPeriod('UTC', { since: 0, now: at(8) })).toBe(december);
  expect(usualPeriod('UTC', { since: at(1), now: at(3) })).toBe(december);
  // By the clocks of the reader: in Honolulu it is November still.
  expect(usualPeriod('Pacific/Honolulu', { since: 0, now: at(1, 5) })).toBe(december - 1);
  expect(usualPeriod('Pacific/Auckland', { since: 0, now: at(7, 20) })).toBe(december);
});

test('the months before and after are those of which something is known', () => {
  const november26 = monthAt('UTC', NOVEMBER.from);
  const now = NOVEMBER.to + DAY;
  const side = (since: number) => neighboursOf(november26, 'UTC', { since, now });
  expect(side(NOVEMBER.from - DAY)).toEqual({ previous: november26 - 1, next: november26 + 1 });
  expect(side(NOVEMBER.from + DAY)).toEqual({ previous: null, next: november26 + 1 });
  expect(neighboursOf(november26, 'UTC', { since: 0, now: NOVEMBER.from + DAY }).next).toBeNull();
  expect(neighboursOf(2026, 'UTC', { since: 0, now })).toEqual({ previous: 2025, next: null });
  expect(neighboursOf(ALL, 'UTC', { since: 0, now })).toEqual({ previous: null, next: null });
});

test('almost every day is nine days out of ten', async () => {
  const daysOf = (count: number): Session[] =>
    Array.from({ length: count }, (_, day) => {
      const from = NOVEMBER.from + day * DAY + 15 * HOUR;
      return session(from, from + HOUR);
    });
  const elapsed = { ...known(0, 30), now: NOVEMBER.to };
  expect(titleOf(await november({ ...elapsed, sessions: daysOf(27) }))).toBe('daily');
  expect(titleOf(await november({ ...elapsed, sessions: daysOf(26) }))).toBe('loyal');
});

/** An evening on each of so many days before the 27th, on two servers in turn. */
const evenings = (count: number): Session[] =>
  Array.from({ length: count }, (_, back) => {
    const from = NOVEMBER.from + (26 - back) * DAY + 15 * HOUR;
    return session(from, from + 2 * HOUR, { server: back % 2 === 0 ? 'one' : 'two' });
  });

test.each([
  ['seen for two days, after a month that is known', 2, 26, 0, 'newcomer'],
  ['seen for two days, where the bot has watched for a week', 2, 26, 19, null],
  ['seen for nine days', 9, 18, 0, 'newcomer'],
  ['seen for ten days, as for "almost every day"', 10, 17, 0, 'regular'],
  ['seen on nine days, and the first time before that month', 9, -60, -100, null],
] as const)(
  'a driver %s is no regular unless that takes ten days',
  async (_what, days, first, since, title) => {
    const facts = await november({
      ...{ sessions: evenings(days), firstSeen: NOVEMBER.from + first * DAY, now: NOVEMBER.from + 28 * DAY },
      ...known(since === 0 ? -30 : since, 28),
    });
    expect(titleOf(facts)).toBe(title);
  },
);

test('years of sessions leave turns to others', async () => {
  const many = Array.from({ length: 100 }, (_, index) => {
    const from = everything.since + index * 2 * MINUTE;
    return session(from, from + MINUTE);
  });
  const span = { from: everything.since, to: NOW };
  // Each session takes a millisecond.
  let ms = 0;
  tellTime(() => (ms += 1));
  let turns = 0;
  const count = (): void => {
    turns += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  await recapFacts({
    ...{ period: ALL, zone, span, sessions: many, before: null, firstSeen: null, readings: [] },
    ...{ coverage: everything, now: NOW },
  });
  clearImmediate(counting);
  expect(turns).toBeGreaterThan(10);
});
