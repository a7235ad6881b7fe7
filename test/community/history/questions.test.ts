/** What history answers, and what is forgotten. */
import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/base/duration.ts';
import { createForgetDriver } from '../../../src/community/history/forget-driver.ts';
import type { Figures, TopSubject } from '../../../src/community/history/history.ts';
import { allCoverage, createQuestions } from '../../../src/community/history/questions.ts';
import { readReading } from '../../../src/community/history/readings.ts';
import { usualHours } from '../../../src/community/history/usual.ts';
import { HISTORY_TABLES } from '../../../src/store/tables/history.ts';
import { type Process, type RecordedHistory, recordedHistory, START } from './support/recorded-history.ts';

/** They drive for so long, and are gone for a while. */
async function drive(
  { time, drivers }: RecordedHistory,
  ms: number,
  ...names: readonly string[]
): Promise<void> {
  for (const name of names) drivers.set(name, {});
  await time.pass(ms);
  drivers.clear();
  await time.pass(5 * MINUTE);
}

/** Nobody reads anything, as if the bot were not running. */
async function rest(here: RecordedHistory, process: Process, ms: number): Promise<Process> {
  await process.stop();
  await here.time.pass(ms);
  return here.start();
}

async function top(
  { history }: RecordedHistory,
  subject: TopSubject,
  span: 'week' | 'month' | 'all' = 'week',
) {
  const { rows } = await history.top(subject, span);
  return rows.map(({ rank, driver, value }) => [rank, driver, value] as const);
}

test('a stored number that no figure of the service can be is not read', () => {
  const figures = (money: number) =>
    readReading({ driver: 'ann', name: 'Ann', at: 1_700_000_000, money, driven_distance: 1 }).reading.figures;
  expect(figures(-1e15)).toEqual({ money: -1e15, driven_distance: 1 });
  for (const figure of [1e308, -1e308, Number.POSITIVE_INFINITY])
    expect(figures(figure)).toEqual({ driven_distance: 1 });
});

test('ranks by time played: ties share a rank, hidden drivers and old time are out', async () => {
  const here = recordedHistory();
  let process = await here.start();
  await here.time.pass(MINUTE);
  await drive(here, 30 * MINUTE, 'Ann', 'ben', 'Cleo');
  process = await rest(here, process, 10 * DAY);
  await here.time.pass(MINUTE);
  await drive(here, 30 * MINUTE, 'Ann', 'Ben', 'Dan');
  await drive(here, 15 * MINUTE, 'Dan');
  await process.stop();
  const inMinutes = async (span: 'week' | 'month' | 'all') =>
    (await top(here, 'playtime', span)).map(([rank, driver, ms]) => [rank, driver, Math.round(ms / MINUTE)]);
  expect(await inMinutes('week')).toEqual([
    [1, 'Dan', 45],
    [2, 'Ann', 30],
    [2, 'Ben', 30],
  ]);
  const long = [
    [1, 'Ann', 60],
    [1, 'Ben', 60],
    [3, 'Dan', 45],
    [4, 'Cleo', 30],
  ];
  expect(await inMinutes('month')).toEqual(long);
  expect(await inMinutes('all')).toEqual(long);
  here.hidden.add('ann');
  expect(await inMinutes('all')).toEqual([
    [1, 'Ben', 60],
    [2, 'Dan', 45],
    [3, 'Cleo', 30],
  ]);
  const { since, from, holes } = await here.history.top('playtime', 'month');
  expect(since).toBe(START);
  expect(from).toBe(here.time.clock.now() - 30 * DAY);
  // Of the ten days, nothing is known.
  expect(holes.map(({ from: begin, to }) => Math.round((to - begin) / DAY))).toContain(10);
});

test('seven days are seven times 24 hours, to the hour', async () => {
  const here = recordedHistory();
  let process = await here.start();
  process = await rest(here, process, 9 * HOUR);
  await here.time.pass(MINUTE);
  await drive(here, 30 * MINUTE, 'Ann');
  process = await rest(here, process, 6 * HOUR);
  await here.time.pass(MINUTE);
  await drive(here, 30 * MINUTE, 'Ann');
  // From Monday 16:12 to the next Monday at noon, when nine o'clock has passed and four o'clock has not.
  await rest(here, process, 7 * DAY - 4 * HOUR);
  expect((await top(here, 'playtime')).map(([, , ms]) => Math.round(ms / MINUTE))).toEqual([30]);
});

test('a driver who is on two servers at once is online once', async () => {
  const here = recordedHistory();
  here.two.drivers = ['Ben'];
  const process = await here.start();
  await here.time.pass(MINUTE);
  here.two.drivers = ['Ann', 'Ben'];
  await drive(here, 10 * MINUTE, 'ann');
  here.two.drivers = [];
  await here.time.pass(5 * MINUTE);
  await process.stop();
  const minutes = (await top(here, 'playtime')).map(([, driver, ms]) => [driver.toLowerCase(), ms / MINUTE]);
  expect(Object.fromEntries(minutes)['ann']).toBeCloseTo(15, 0);
  expect(Object.fromEntries(minutes)['ben']).toBeCloseTo(16, 0);
});

test('a value says when its profile was last read', async () => {
  const here = recordedHistory();
  let process = await here.start();
  for (const distance of [1000, 2000]) {
    process.readings.note('Ann', here.time.clock.now(), () => figures(distance));
    await here.time.pass(2 * MINUTE);
    process = await rest(here, process, 2 * DAY);
  }
  const { rows } = await here.history.top('distance', 'week');
  expect(rows.map(({ value, read }) => [value, ((read ?? 0) - START) / DAY])).toEqual([
    [1000, expect.closeTo(2, 1)],
  ]);
});

test('an answer says since when something is known, and that nothing is', async () => {
  const here = recordedHistory();
  expect(await here.history.top('playtime', 'week')).toMatchObject({ since: null, rows: [] });
  expect(await here.history.top('money', 'all')).toMatchObject({ since: null, rows: [] });
  expect(await here.history.driver('Ann', 10)).toBeNull();
  expect(await here.history.earlierReading('Ann')).toBeNull();
  expect((await here.history.usualHours('Ann', 'UTC')).days).toBe(0);
  expect((await here.history.week('all', 'UTC')).days).toHaveLength(7);
});

const figures = (distance: number, more: Figures = {}): Figures => ({ driven_distance: distance, ...more });

test('counts gains from one reading a day and driver, compared within the span', async () => {
  const here = recordedHistory();
  let process = await here.start();
  const note = async (driver: string, values: Figures): Promise<void> => {
    process.readings.note(driver, here.time.clock.now(), () => values);
    await here.time.pass(2 * MINUTE);
  };
  await note('Ann', figures(1000, { money: 500, chases_won_cop: 3, gaming_time_cop: 60 }));
  await note('Ben', figures(7000));
  process = await rest(here, process, 10 * DAY);
  await note(
    'Ann',
    figures(1500, { money: 400, chases_won_cop: 4, chases_won_robber: 2, gaming_time_cop: 90 }),
  );
  await note('ben', figures(7000));
  // The second of a day is not kept.
  await note('Ann', figures(9999));
  process = await rest(here, process, 2 * DAY);
  await note(
    'Ann',
    figures(1750, { money: 700, chases_won_cop: 5, chases_won_robber: 2, gaming_time_cop: 150 }),
  );
  expect(await top(here, 'distance')).toEqual([[1, 'Ann', 250]]);
  expect(await top(here, 'distance', 'month')).toEqual([[1, 'Ann', 750]]);
  expect(await top(here, 'distance', 'all')).toEqual([[1, 'Ann', 750]]);
  expect(await top(here, 'money')).toEqual([[1, 'Ann', 300]]);
  // Those won as robber were not reported at first, which is not the same as none.
  expect(await top(here, 'chases', 'month')).toEqual([[1, 'Ann', 2]]);
  expect(await top(here, 'police')).toEqual([[1, 'Ann', 60_000]]);
  // The first reading of the last seven days.
  expect((await here.history.earlierReading('ANN'))?.figures.driven_distance).toBe(1500);
  process = await rest(here, process, 20 * DAY);
  expect((await here.history.earlierReading('ANN'))?.figures.driven_distance).toBe(1750);
  here.hidden.add('ann');
  await note('Ann', figures(5000));
  expect(await here.history.earlierReading('Ann')).toBeNull();
  expect(await top(here, 'distance', 'all')).toEqual([]);
  here.hidden.clear();
  expect((await here.history.earlierReading('Ann'))?.figures.driven_distance).toBe(1750);
  expect(await top(here, 'distance', 'all')).toEqual([[1, 'Ann', 750]]);
});

test('a second reading of a day is not kept after a restart either', async () => {
  const here = recordedHistory();
  let process = await here.start();
  for (const distance of [1000, 2000]) {
    process.readings.note('Ann', here.time.clock.now(), () => figures(distance));
    await here.time.pass(2 * MINUTE);
    process = await rest(here, process, MINUTE);
  }
  expect(await top(here, 'distance')).toEqual([]);
});

test('keeps figures for a year if the driver is linked, and for a month if not', async () => {
  const here = recordedHistory();
  let process = await here.start();
  here.linked.add('ann');
  for (const driver of ['Ann', 'Ben'])
    process.readings.note(driver, here.time.clock.now(), () => figures(1000));
  process = await rest(here, process, 100 * DAY);
  await here.time.pass(MINUTE);
  expect(await here.history.earlierReading('Ann')).not.toBeNull();
  expect(await here.history.earlierReading('Ben')).toBeNull();
  // The link is gone.
  here.linked.clear();
  await rest(here, process, DAY);
  expect(await here.history.earlierReading('Ann')).toBeNull();
});

test('eight weeks are fifty-six days in any zone', async () => {
  const now = START + 60 * DAY + 15 * HOUR;
  const { store } = recordedHistory();
  const sessions = [{ from: START, to: now }];
  const { hours } = await usualHours(sessions, 'Europe/Berlin', now, store);
  expect(Math.max(...hours)).toBe(56);
});

test('usual hours and the hours of the week are those of the reader’s time zone', async () => {
  const here = recordedHistory();
  await here.time.pass(16 * HOUR);
  const process = await here.start();
  // A Monday, 18:10 in UTC.
  await here.time.pass(2 * HOUR + 10 * MINUTE);
  await drive(here, HOUR, 'Ann');
  await here.time.pass(DAY - HOUR);
  await drive(here, 30 * MINUTE, 'Ann');
  await process.stop();
  const hoursOf = async (zone: string) => {
    const { hours, days } = await here.history.usualHours('ann', zone);
    return [hours.flatMap((count, hour) => (count === 0 ? [] : [`${hour}: ${count}`])), days];
  };
  expect(await hoursOf('UTC')).toEqual([['18: 2', '19: 1'], 2]);
  expect(await hoursOf('Europe/Istanbul')).toEqual([['21: 2', '22: 1'], 2]);
  const { days } = await here.history.week('all', 'Europe/Istanbul');
  expect(days[0]?.[21]?.drivers).toBeGreaterThan(0.7);
  expect(days[0]?.[20]).toEqual({ drivers: 0, weeks: 1 });
  expect(days[4]?.[20]).toBeNull();
  await expect(here.history.week('all', 'Moon/Sea')).rejects.toThrow(RangeError);
});

test('a session from nine to ten sharp is of one hour', async () => {
  const from = START + 9 * HOUR;
  const { hours } = await usualHours(
    [{ from, to: from + HOUR }],
    'UTC',
    START + DAY,
    recordedHistory().store,
  );
  expect(hours.flatMap((count, hour) => (count === 0 ? [] : [hour]))).toEqual([9]);
});

test('hours of a zone that is half an hour off are its own, not those of UTC', async () => {
  const here = recordedHistory();
  await here.time.pass(13 * HOUR);
  const process = await here.start();
  // A Monday, from 15:20 to 16:30 in UTC: from 20:50 to 22:00 in India.
  await here.time.pass(2 * HOUR + 20 * MINUTE);
  await drive(here, 70 * MINUTE, 'Ann');
  await here.time.pass(HOUR);
  await process.stop();
  const { hours } = await here.history.usualHours('ann', 'Asia/Kolkata');
  expect(hours.flatMap((count, hour) => (count === 0 ? [] : [hour]))).toEqual([20, 21]);
  const week = async (zone: string) => {
    const { days } = await here.history.week('one', zone);
    return days[0]?.map((hour) => hour && Math.round(hour.drivers * 6) / 6);
  };
  expect((await week('Asia/Kolkata'))?.slice(19, 24)).toEqual([0, 1 / 6, 1, 0, null]);
  // Of the last hour, five minutes are known.
  expect((await week('UTC'))?.slice(14, 18)).toEqual([0, 4 / 6, 3 / 6, 0]);
});

test('does not record a hidden driver, and shows the past once the driver is shown', async () => {
  const here = recordedHistory();
  await here.start();
  await here.time.pass(MINUTE);
  await drive(here, 10 * MINUTE, 'Ann');
  here.hidden.add('ann');
  expect(await here.history.driver('Ann', 10)).toBeNull();
  expect((await here.history.usualHours('Ann', 'UTC')).hours.every((count) => count === 0)).toBe(true);
  await drive(here, 20 * MINUTE, 'Ann');
  here.hidden.clear();
  const known = await here.history.driver('Ann', 10);
  expect(known?.sessions.map(({ played }) => Math.round(played / MINUTE))).toEqual([10]);
  // Still one of the drivers on the server.
  const { points } = await here.history.counts('one', { from: START, to: START + HOUR });
  expect(points.filter(({ drivers }) => drivers > 0).length).toBeGreaterThan(28);
});

test('a session by a clock that was ahead is not told before its time', async () => {
  const here = recordedHistory();
  const process = await here.start();
  await here.time.pass(MINUTE);
  here.time.stepWall(21 * HOUR);
  await drive(here, 10 * MINUTE, 'Ann');
  here.time.stepWall(-21 * HOUR);
  await drive(here, 20 * MINUTE, 'Ann');
  const told = async () =>
    ((await here.history.driver('Ann', 10))?.sessions ?? []).map(({ played }) => Math.round(played / MINUTE));
  expect(await told()).toEqual([20]);
  expect(await here.history.sessions('Ann', { from: START, to: START + 2 * DAY })).toHaveLength(1);
  await rest(here, process, 22 * HOUR);
  expect(await told()).toEqual([10, 20]);
});

test('a session that ends while it is asked for is told, and once', async () => {
  const here = recordedHistory();
  await here.start();
  await here.time.pass(MINUTE);
  here.drivers.set('Ann', {});
  await here.time.pass(10 * MINUTE + SECOND / 2);
  here.drivers.clear();
  await here.time.pass(2 * MINUTE);
  let isFirst = true;
  const store: RecordedHistory['store'] = {
    ...here.store,
    async read(query) {
      const found = await here.store.read(query);
      if (isFirst) {
        isFirst = false;
        await here.time.pass(5 * MINUTE);
      }
      return found;
    },
  };
  const history = createQuestions({
    store,
    clock: here.time.clock,
    isHidden: () => false,
    coverage: allCoverage,
  });
  expect((await history.driver('Ann', 10))?.sessions).toHaveLength(1);
});

test('who began in the same second as another one, who has left, counts all the same', async () => {
  const here = recordedHistory();
  await here.start();
  await here.time.pass(MINUTE);
  here.drivers.set('Ann', {}).set('Ben', {});
  await here.time.pass(10 * MINUTE);
  here.drivers.delete('Ann');
  await here.time.pass(10 * MINUTE);
  const rows = await here.history.playtime({ from: START, to: here.time.clock.now() });
  expect(rows.map(({ driver, value }) => [driver, Math.round(value / MINUTE)])).toEqual([
    ['Ben', 20],
    ['Ann', 10],
  ]);
});

test.for([
  ['on a write', 0],
  ['between two writes', 30 * SECOND],
] as const)(
  'a driver forgotten %s is gone from everything, while playing too, and no other',
  async ([, later]) => {
    const here = recordedHistory();
    const process = await here.start();
    await here.time.pass(MINUTE);
    await drive(here, 10 * MINUTE, 'Ann', 'Ben');
    for (const driver of ['Ann', 'Ben'])
      process.readings.note(driver, here.time.clock.now(), () => figures(1000));
    here.drivers.set('Ann', {}).set('Ben', {});
    await here.time.pass(10 * MINUTE + later);
    const forgetDriver = createForgetDriver({
      store: here.store,
      copies: () => [],
      unreached: () => {},
      deleted: () => {},
    });
    expect(await forgetDriver('ANN')).toEqual([]);
    here.drivers.clear();
    await here.time.pass(10 * MINUTE);
    await process.stop();
    expect(await here.history.driver('Ann', 10)).toBeNull();
    expect((await here.history.driver('Ben', 10))?.sessions).toHaveLength(2);
    expect((await top(here, 'playtime')).map(([, driver]) => driver)).toEqual(['Ben']);
    const all = await Promise.all(
      Object.keys(HISTORY_TABLES).map((table) =>
        here.store.read({ parts: [`SELECT * FROM ${table}`], values: [] }),
      ),
    );
    expect(JSON.stringify(all)).toContain('Ben');
    expect(JSON.stringify(all).toLowerCase()).not.toContain('ann');
  },
);

test('what is recorded while a driver is forgotten is lost for nobody', async () => {
  const here = recordedHistory();
  const process = await here.start();
  await here.time.pass(MINUTE);
  await drive(here, 10 * MINUTE, 'Ann', 'Ben');
  let isFirst = true;
  const forgetDriver = createForgetDriver({
    store: {
      ...here.store,
      async write(work) {
        // Before the deletion has its turn somebody else drives.
        if (isFirst) {
          isFirst = false;
          await drive(here, 10 * MINUTE, 'Later');
        }
        return here.store.write(work);
      },
    },
    copies: () => [],
    unreached: () => {},
    deleted: () => {},
  });
  expect(await forgetDriver('ANN')).toEqual([]);
  expect(isFirst).toBe(false);
  await process.stop();
  for (const span of ['week', 'month', 'all'] as const)
    expect((await top(here, 'playtime', span)).map(([, driver]) => driver).toSorted(), span).toEqual([
      'Ben',
      'Later',
    ]);
  for (const driver of ['Ben', 'Later'])
    expect((await here.history.driver(driver, 10))?.sessions).toHaveLength(1);
  expect(await here.history.driver('Ann', 10)).toBeNull();
});
