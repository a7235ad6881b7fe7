/** A year in the store: the sandbox's, and one of a community ten times as large. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../src/base/duration.ts';
import { tidy } from '../../../src/community/history/bounds.ts';
import { writePast as writeHistory } from '../../../src/community/history/past.ts';
import { allCoverage, createQuestions } from '../../../src/community/history/questions.ts';
import { createPast, seenPast, type WorldPast } from '../../../src/sandbox/service/world/past.ts';
import { historyFormat } from '../../../src/store/sqlite/format.ts';
import { openSqliteHistory } from '../../../src/store/sqlite/history.ts';
import { prepareFile } from '../../../src/store/sqlite/prepare-file.ts';
import { writePast } from '../../../src/tools/demo/write-past.ts';

const UNTIL = Date.UTC(2026, 2, 5, 21);
const SINCE = UNTIL - 365 * DAY;
const MEGABYTE = 1024 * 1024;

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'pitwall-past-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

function opened(file: string, now = UNTIL) {
  const store = openSqliteHistory(file);
  onTestFinished(() => store.close());
  return {
    store,
    history: createQuestions({
      store,
      clock: { now: () => now },
      isHidden: () => false,
      coverage: allCoverage,
    }),
  };
}

const names = (count: number): readonly string[] =>
  Array.from({ length: count }, (_name, index) => `driver ${index}`);

/** Of people who come all the year, as often as `keenness` says. */
const pastOf = (seed: number, drivers: readonly string[], keenness = 1, until = UNTIL): WorldPast => {
  const someone = { joined: SINCE, keenness, rolesAt: () => ['civil', 'cop'] as const };
  const { visits } = createPast(
    seed,
    drivers.map(() => someone),
    SINCE,
    until,
  );
  return seenPast(visits, drivers, { seed, since: SINCE, until });
};

async function written(
  past: WorldPast,
  drivers: readonly string[],
  until = UNTIL,
  joined = (_index: number) => SINCE,
) {
  const at = join(folder(), 'pitwall.sqlite');
  const figures = {
    money: 1e6,
    driven_distance: 1e9,
    chases_won_cop: 5000,
    chases_won_robber: 5000,
    gaming_time_total: 1e8,
    gaming_time_cop: 1e7,
  };
  const records = drivers.map((username, index) => ({
    ...{ username, nickname: username, joined: joined(index), figures },
  }));
  await writePast(at, { past, records, offers: [], since: SINCE, until });
  return opened(at.replace('.sqlite', '.history.sqlite'), until);
}

test('the sandbox’s past is the same for a seed, and has something for every question', async () => {
  const drivers = names(60);
  const past = pastOf(1, drivers);
  const few = pastOf(1, names(5));
  expect(pastOf(1, names(5))).toEqual(few);
  expect(pastOf(2, names(5))).not.toEqual(few);
  const { history } = await written(past, drivers);
  for (const ago of [DAY, 7 * DAY, 30 * DAY, 300 * DAY]) {
    const { points, holes } = await history.counts('all', { from: UNTIL - ago, to: UNTIL });
    expect(points.length).toBeGreaterThan(100);
    expect(Math.max(...points.map(({ drivers: there }) => there))).toBeGreaterThan(3);
    expect(holes.length).toBeGreaterThan(0);
  }
  const { days } = await history.week('all', 'UTC');
  expect(days.flat().every((hour) => hour !== null)).toBe(true);
  expect(days[4]?.[19]?.drivers ?? 0).toBeGreaterThan(days[4]?.[4]?.drivers ?? 0);
  for (const subject of ['playtime', 'distance', 'chases', 'money', 'police'] as const)
    expect((await history.top(subject, 'month')).rows.length, subject).toBeGreaterThan(10);
  const [best] = (await history.top('playtime', 'all')).rows;
  const known = await history.driver(best?.driver ?? '', 10);
  expect(known?.sessions).toHaveLength(10);
  expect((await history.usualHours(best?.driver ?? '', 'UTC')).hours.some((count) => count > 5)).toBe(true);
  expect(await history.earlierReading(best?.driver ?? '')).not.toBeNull();
});

test('what was played adds up, whichever way it is asked for', async () => {
  const drivers = names(20);
  const past = pastOf(3, drivers);
  const { history } = await written(past, drivers);
  const hours = async (place: 'one' | 'two' | 'three' | 'four'): Promise<number> =>
    (await history.counts(place, { from: SINCE, to: UNTIL })).points.reduce(
      (sum, point) => sum + point.drivers,
      0,
    );
  const counted = (await Promise.all((['one', 'two', 'three', 'four'] as const).map(hours))).reduce(
    (a, b) => a + b,
  );
  const played =
    (await history.top('playtime', 'all')).rows.reduce((sum, { value }) => sum + value, 0) / HOUR;
  // Hours that a hole cuts are counted whole.
  expect(Math.abs(counted - played) / played).toBeLessThan(0.02);
});

test('45 000 sessions and a year of counts take less than 10 MB', async () => {
  const drivers = names(130);
  const { stays } = pastOf(1, drivers, 0.4);
  expect(stays.length).toBeGreaterThan(45_000);
  const file = join(folder(), 'pitwall.history.sqlite');
  prepareFile(file, historyFormat).close();
  const { store, history } = opened(file);
  const duty = { police: 60_000, medic: 0, tow: 0 };
  const sessions = stays.map(({ driver, server, from, to }) => ({
    driver,
    session: { from, to, server, played: to - from, duty, startKnown: true, endKnown: true },
  }));
  await writeHistory(
    {
      runs: [],
      sessions,
      underWay: [],
      readings: [],
      offers: [],
      holes: [],
      since: SINCE,
      until: UNTIL,
    },
    store,
  );
  await store.scrub();
  expect(statSync(file).size).toBeLessThan(10 * MEGABYTE);
  expect((await history.top('playtime', 'all')).rows.length).toBeGreaterThan(100);
  await tidy({ store, isLinked: () => false }, UNTIL, 20_000);
  const { since } = await history.top('playtime', 'all');
  expect(since).toBeGreaterThan(SINCE);
});

test('it reaches up to now, and the recorder takes up who is there', async () => {
  const drivers = names(60);
  for (const at of [UNTIL, UNTIL + 17 * MINUTE]) {
    const past = pastOf(1, drivers, 1, at);
    expect(past.underWay.length).toBeGreaterThan(3);
    const { history } = await written(past, drivers, at);
    const { points, latest } = await history.counts('all', { from: at - DAY, to: at });
    expect(latest?.at).toBe(at - MINUTE);
    expect(Math.abs((latest?.drivers ?? 0) - past.underWay.length)).toBeLessThanOrEqual(1);
    expect(points.slice(-30).every((point) => point.drivers > past.underWay.length / 3)).toBe(true);
    expect((await history.week('all', 'UTC')).until).toBe(at);
    expect((await history.top('playtime', 'week')).until).toBe(at);
    const [{ driver, from, server } = { driver: '', from: 0, server: '' }] = past.underWay;
    const known = await history.driver(driver, 1);
    expect(known?.current).toMatchObject({ from: Math.round(from / 1000) * 1000, to: at, server });
  }
});

test('no reading of a profile is older than the profile', async () => {
  const drivers = names(20);
  const past = pastOf(1, drivers);
  const { history } = await written(past, drivers, UNTIL, (index) => UNTIL - index * DAY);
  for (const [index, driver] of drivers.entries()) {
    const reading = await history.earlierReading(driver);
    // One every three days, of which today's counts for no gain.
    if (index <= 3) expect(reading).toBeNull();
    else expect(reading?.at ?? 0).toBeGreaterThan(UNTIL - index * DAY);
  }
});

test('the sandbox’s servers were down now and then, while nobody was on them', async () => {
  const past = pastOf(1, names(20));
  const { history } = await written(past, names(20));
  const { runs, outages } = await history.uptime('two', { from: SINCE, to: UNTIL });
  expect(outages.length).toBeGreaterThan(3);
  expect(runs.at(-1)).toMatchObject({ isUp: true, to: UNTIL });
  const onTwo = past.stays.filter(({ server }) => server === 'two');
  for (const { from, until } of outages)
    expect(onTwo.filter((stay) => stay.from < until - 1000 && stay.to > from + 1000)).toEqual([]);
  const unknown = past.outages.map(({ from, to }) =>
    runs.filter((run) => run.from < to - 1000 && run.to > from + 1000),
  );
  expect(unknown.flat()).toEqual([]);
});
