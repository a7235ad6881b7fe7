/** Every answer of a year, beside one that is counted from the plain lists of sessions, readings and holes. */

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/base/duration.ts';
import { wallTime } from '../../../src/base/zone.ts';
import { createForgetDriver } from '../../../src/community/history/forget-driver.ts';
import type {
  Figure,
  History,
  Stretch,
  TopSpan,
  TopSubject,
} from '../../../src/community/history/history.ts';
import { topSubjects } from '../../../src/community/history/history.ts';
import { writePast } from '../../../src/community/history/past.ts';
import { allCoverage, createQuestions } from '../../../src/community/history/questions.ts';
import type { HistoryStore } from '../../../src/store/history-store.ts';
import { historyFormat } from '../../../src/store/sqlite/format.ts';
import { openSqliteHistory } from '../../../src/store/sqlite/history.ts';
import { prepareFile } from '../../../src/store/sqlite/prepare-file.ts';
import { type Community, createCommunity, driverName } from './support/community.ts';

/** Clocks were put forward in Berlin twelve days ago, and back by half an hour on Lord Howe five days ago. */
const UNTIL = Date.UTC(2026, 3, 10, 12, 34, 7);
const zones = ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Auckland'];
const size = { seed: 3, drivers: 30, sessions: 9000, most: 1500, since: UNTIL - 380 * DAY, until: UNTIL };

let community: Community;
/** Written once, and copied for each test. */
let written: string;
beforeAll(async () => {
  community = createCommunity(size);
  const folder = mkdtempSync(join(tmpdir(), 'pitwall-answers-'));
  written = join(folder, 'history.sqlite');
  prepareFile(written, historyFormat).close();
  const store = openSqliteHistory(written);
  await writePast({ ...community, underWay: [], offers: [], runs: [] }, store);
  store.close();
  return () => rmSync(folder, { recursive: true });
});

/** Nobody hides but those named. */
async function stored(hidden: readonly string[] = []): Promise<{ history: History; store: HistoryStore }> {
  const folder = mkdtempSync(join(tmpdir(), 'pitwall-answers-'));
  const file = join(folder, 'history.sqlite');
  copyFileSync(written, file);
  const store = openSqliteHistory(file);
  onTestFinished(() => {
    store.close();
    rmSync(folder, { recursive: true });
  });
  const isHidden = (username: string): boolean => hidden.includes(username.toLowerCase());
  return {
    store,
    history: createQuestions({ store, clock: { now: () => UNTIL }, isHidden, coverage: allCoverage }),
  };
}

/** The last minute is not over. */
const END = Math.floor(UNTIL / MINUTE) * MINUTE;
const isKnown = (at: number): boolean => !community.holes.some(({ from, to }) => at >= from && at < to);

/** The steps that reach into the span and of which something is known. */
function stepsIn({ from, to }: Stretch, step: number): readonly Stretch[] {
  const first = Math.floor(from / step) * step;
  const all = Array.from({ length: Math.ceil((to - first) / step) }, (_step, index) => first + index * step);
  return all.filter((at) => isKnown(at) && at < END).map((at) => ({ from: at, to: at + step }));
}

/** To the minute in which it began and ended. */
function holesIn({ from, to }: Stretch): readonly Stretch[] {
  const up = (at: number): number => Math.ceil(at / MINUTE) * MINUTE;
  return community.holes
    .map((hole) => ({ from: Math.max(from, up(hole.from)), to: up(hole.to) }))
    .filter((hole) => hole.to > from && hole.from < to && hole.to > hole.from);
}

/** Minutes within the last two days, hours before. */
function liveSteps({ from, to }: Stretch): readonly Stretch[] {
  const fine = Math.ceil((to - 2 * DAY) / HOUR) * HOUR;
  const hours = stepsIn({ from, to: Math.max(from, fine) }, HOUR);
  return [...hours, ...stepsIn({ from: Math.max(from, fine), to }, MINUTE)];
}

/** How many drivers there were on average. */
function average(place: 'all' | 'two', steps: readonly Stretch[]): number {
  const parts = steps.map(({ from, to }) => ({ from, to: Math.min(to, END) }));
  const [begin, end] = [parts[0]?.from ?? 0, parts.at(-1)?.to ?? 0];
  const there = community.sessions.flatMap(({ session }) => {
    const { server, from, to } = session;
    return to > begin && from < end && (place === 'all' || server === place) ? [session] : [];
  });
  const sum = (of: readonly number[]): number => of.reduce((all, each) => all + each, 0);
  const shared = (one: Stretch, other: Stretch): number =>
    Math.max(0, Math.min(one.to, other.to) - Math.max(one.from, other.from));
  const present = sum(parts.map((part) => sum(there.map((session) => shared(session, part)))));
  return present / sum(parts.map(({ from, to }) => to - from));
}

test.each([
  ['12 hours', 0.5, MINUTE],
  ['7 days', 7, 10 * MINUTE],
  // Asked a moment before it is answered, by which the last step must not become a coarser one.
  ['30 days', 30.000_001, 10 * MINUTE],
  ['300 days', 300, HOUR],
] as const)('the drivers of the last %s', async (_name, days, step) => {
  const { history } = await stored();
  const span = { from: UNTIL - days * DAY, to: UNTIL };
  for (const place of ['all', 'two'] as const) {
    const { points, holes } = await history.counts(place, span);
    const expected = stepsIn(span, step);
    expect(points.map(({ at }) => at)).toEqual(expected.map(({ from }) => from));
    expect(holes).toEqual(holesIn(span));
    for (const { at, drivers } of points.filter((_point, index) => index % 11 === 0))
      expect(drivers).toBeCloseTo(average(place, [{ from: at, to: at + step }]), 1);
  }
});

test.each(zones)('the hours of the week and of the day in %s', async (zone) => {
  const { history } = await stored();
  const span = { from: UNTIL - 56 * DAY, to: UNTIL };
  // Where hours do not begin with those of UTC, they are put together from ten minutes.
  const isWhole = [span.from, UNTIL].every((at) => wallTime(zone, Math.floor(at / HOUR) * HOUR) % HOUR === 0);
  const known = stepsIn(span, isWhole ? HOUR : 10 * MINUTE);
  const hourOf = (at: number): number => Math.floor((wallTime(zone, at) % DAY) / HOUR);
  const dayOf = (at: number): number => Math.floor(wallTime(zone, at) / DAY);
  const slots = Map.groupBy(known, ({ from }) => ((dayOf(from) + 3) % 7) * 24 + hourOf(from));
  const { days } = await history.week('two', zone);
  for (const [slot, told] of days.flat().entries()) {
    const steps = slots.get(slot) ?? [];
    expect(told?.drivers).toBeCloseTo(average('two', steps), 1);
    expect(told?.weeks).toBe(new Set(steps.map(({ from }) => dayOf(from))).size);
  }

  // A part of a day, and the fifty-seventh.
  const first = dayOf(span.from);
  for (const driver of [driverName(0), driverName(1), driverName(13)]) {
    const usual = await history.usualHours(driver, zone);
    const seen = Array.from({ length: 24 }, () => new Set<number>());
    for (const { session } of community.sessions.filter(
      (one) => one.driver === driver && one.session.to > span.from,
    ))
      for (
        let at = Math.max(session.from, span.from);
        at < session.to;
        at = Math.floor(at / MINUTE + 1) * MINUTE
      )
        seen[hourOf(at)]?.add(dayOf(at));
    expect(usual.hours).toEqual(seen.map((each) => each.difference(new Set([first])).size));
    expect(usual.days).toBe(
      new Set(liveSteps(span).map(({ from }) => dayOf(from))).difference(new Set([first])).size,
    );
  }
});

test('a driver’s sessions, in any spelling, and what is not known of the year', async () => {
  const { history } = await stored(['driver 5']);
  for (const index of [0, 1, 2, 13, 29]) {
    const sessions = community.sessions
      .filter(({ driver }) => driver === driverName(index))
      .map(({ session }) => session);
    const told = await history.driver(`dRIVER ${index}`, 10);
    expect(told?.driver).toBe(driverName(index));
    expect(told?.sessions).toEqual(sessions.toReversed().slice(0, 10));
    expect(told?.holes).toEqual(holesIn({ from: community.since, to: UNTIL }));
    const today = Math.floor(UNTIL / DAY) * DAY;
    const before = (community.readings[index]?.readings ?? []).filter(
      ({ at }) => at < today && at >= UNTIL - 40 * DAY,
    );
    const expected = before.find(({ at }) => at >= UNTIL - 7 * DAY) ?? before.at(-1);
    expect(await history.earlierReading(`dRIVER ${index}`)).toEqual(expected);
  }
  expect(await history.driver('Driver 5', 10)).toBeNull();
  expect(await history.sessions('Driver 5', { from: 0, to: UNTIL })).toEqual([]);
  expect((await history.usualHours('Driver 5', 'UTC')).hours.every((days) => days === 0)).toBe(true);
  expect(await history.driver('Driver 99', 10)).toBeNull();
});

const begins: Readonly<Record<TopSpan, number>> = { week: UNTIL - 7 * DAY, month: UNTIL - 30 * DAY, all: 0 };
const figuresBy: Readonly<Record<Exclude<TopSubject, 'playtime'>, readonly Figure[]>> = {
  distance: ['driven_distance'],
  money: ['money'],
  police: ['gaming_time_cop'],
  chases: ['chases_won_cop', 'chases_won_robber'],
};

function played(from: number): ReadonlyMap<string, number> {
  const whole = Math.ceil(from / HOUR) * HOUR;
  const byDriver = Map.groupBy(community.sessions, ({ driver }) => driver);
  return new Map(
    [...byDriver].map(([driver, own]) => [
      driver,
      own.reduce((sum, { session }) => sum + (session.from >= whole ? session.played : 0), 0),
    ]),
  );
}

/** Of the whole time, the first and the last reading are kept. */
function gained(subject: Exclude<TopSubject, 'playtime'>, from: number): ReadonlyMap<string, number> {
  const unit = subject === 'police' ? SECOND : 1;
  return new Map(
    community.readings.map(({ driver, readings: own }) => {
      const readings = from === 0 ? [own[0], own.at(-1)].filter((reading) => reading !== undefined) : own;
      const gains = figuresBy[subject].map((figure) => {
        const known = readings.filter(({ at }) => at >= from).flatMap(({ figures }) => figures[figure] ?? []);
        return (known.at(-1) ?? 0) - (known[0] ?? 0);
      });
      return [driver, unit * gains.reduce((sum, gain) => sum + gain, 0)];
    }),
  );
}

const rankings = (['playtime', 'distance', 'money', 'police', 'chases'] as const).flatMap((subject) =>
  (['week', 'month', 'all'] as const).map((span) => [subject, span] as const),
);

test.each(rankings)(
  'the most %s of the span: %s, without who is hidden or forgotten',
  async (subject, span) => {
    const { history, store } = await stored(['driver 5']);
    const values = subject === 'playtime' ? played(begins[span]) : gained(subject, begins[span]);
    const expectRows = async (...without: readonly string[]): Promise<void> => {
      const { rows } = await history.top(subject, span);
      const expected = [...values].filter(([driver, value]) => value > 0 && !without.includes(driver));
      expect(new Map(rows.map(({ driver, value }) => [driver, value]))).toEqual(new Map(expected));
      for (const { rank, value } of rows)
        expect(rank).toBe(1 + expected.filter(([, other]) => other > value).length);
    };
    await expectRows('Driver 5');
    const forget = createForgetDriver({ store, copies: () => [], unreached: () => {}, deleted: () => {} });
    expect(await forget('DRIVER 0')).toEqual([]);
    expect(await history.driver('Driver 0', 10)).toBeNull();
    await expectRows('Driver 5', 'Driver 0');
  },
);

test("a driver's best rank is the highest in the upper halves of the week's lists", async () => {
  const { history } = await stored(['driver 5']);
  const lists = await Promise.all(
    topSubjects.map(async (subject) => ({ subject, ...(await history.top(subject, 'week')) })),
  );
  const ranks = await history.bestRanks();
  const drivers = new Set(lists.flatMap(({ rows }) => rows.map(({ driver }) => driver)));
  const shown = [...drivers].filter((driver) => ranks.has(driver.toLowerCase()));
  expect(ranks.size).toBe(shown.length);
  expect(shown.length).toBeLessThan(drivers.size);
  for (const driver of drivers) {
    const own = lists
      .flatMap(({ subject, rows }) =>
        rows
          .filter((row) => row.driver === driver)
          .map(({ rank }) => ({ subject, rank, count: rows.length })),
      )
      .filter(({ rank, count }) => rank === 1 || rank <= count / 2);
    const best = Math.min(...own.map(({ rank }) => rank));
    const most = Math.max(...own.filter(({ rank }) => rank === best).map(({ count }) => count));
    const known = ranks.get(driver.toLowerCase());
    if (own.length === 0) expect(known).toBeUndefined();
    else expect(known).toMatchObject({ rank: best, count: most });
    if (known !== undefined) expect(own).toContainEqual(known);
  }
});

test('time online in any span is that of the sessions, without hidden drivers', async () => {
  const { history } = await stored(['driver 1']);
  const span = { from: UNTIL - 100 * DAY - 5 * MINUTE, to: UNTIL - 70 * DAY };
  const sums = new Map<string, number>();
  for (const { driver, session } of community.sessions) {
    const overlap = Math.min(session.to, span.to) - Math.max(session.from, span.from);
    if (overlap <= 0 || driver === 'Driver 1') continue;
    const share = overlap / (session.to - session.from);
    sums.set(driver, (sums.get(driver) ?? 0) + share * session.played);
  }
  const rows = await history.playtime(span);
  expect(rows.map(({ driver }) => driver).toSorted()).toEqual([...sums.keys()].toSorted());
  for (const { driver, value } of rows)
    expect(Math.abs(value - (sums.get(driver) ?? 0))).toBeLessThan(MINUTE);
  expect(rows.map(({ rank }) => rank)).toEqual(rows.map((_row, index) => index + 1));
});
