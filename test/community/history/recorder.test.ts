/** What the recorder makes of live files, with kills, outages and clocks that jump: all on virtual time. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/base/duration.ts';
import { sql } from '../../../src/base/sql.ts';
import { emptyBatch, joinedBatch } from '../../../src/community/history/batch.ts';
import { type RecordedHistory, recordedHistory, START } from './support/recorded-history.ts';

const minutes = (ms: number): number => Math.round(ms / MINUTE);
const minuteOf = (at: number): number => Math.round((at - START) / MINUTE);

/** Their sessions as [first minute, last minute, minutes played], oldest first, with `?` at an unknown end. */
async function sessions({ history }: RecordedHistory, driver: string): Promise<readonly string[]> {
  const known = await history.driver(driver, 20);
  const all = [
    ...(known?.sessions ?? []).toReversed(),
    ...(known?.current === null || known === null ? [] : [known.current]),
  ];
  return all.map(
    ({ from, to, played, startKnown, endKnown }) =>
      `${startKnown ? '' : '?'}${minuteOf(from)}-${minuteOf(to)}${endKnown ? '' : '?'} ${minutes(played)}`,
  );
}

async function holes({ history }: RecordedHistory, ms = 2 * HOUR): Promise<readonly string[]> {
  const { holes: found } = await history.counts('one', { from: START, to: START + ms });
  return found.map(({ from, to }) => `${minuteOf(from)}-${minuteOf(to)}`);
}

test('reports a failing store once, and once more when it fails again', async () => {
  const here = recordedHistory();
  const recorder = await here.start();
  for (const reports of [1, 2]) {
    recorder.cutOff(true);
    await here.time.pass(5 * MINUTE);
    expect(recorder.failures()).toBe(reports);
    recorder.cutOff(false);
    await here.time.pass(MINUTE);
  }
});

test('what could not be written is written once it can be: a full disk leaves no hole', async () => {
  const here = recordedHistory();
  const recorder = await here.start();
  await here.time.pass(2 * MINUTE);
  here.drivers.set('Ann', {});
  await here.time.pass(3 * MINUTE);
  recorder.cutOff('writes');
  await here.time.pass(5 * MINUTE);
  expect(recorder.failures()).toBe(1);
  recorder.cutOff(false);
  await here.time.pass(5 * MINUTE);
  here.drivers.delete('Ann');
  await here.time.pass(10 * MINUTE);
  expect(await sessions(here, 'Ann')).toEqual(['2-15 13']);
  expect((await holes(here, 20 * MINUTE)).filter((hole) => !hole.startsWith('0-'))).toEqual([]);
});

test('writes a figure that was read while the disk was full once, when it can', async () => {
  const here = recordedHistory();
  const recorder = await here.start();
  await here.time.pass(2 * MINUTE);
  recorder.cutOff('writes');
  recorder.readings.note('Ann', here.time.clock.now(), () => ({ money: 5 }));
  await here.time.pass(5 * MINUTE);
  recorder.cutOff(false);
  await here.time.pass(2 * MINUTE);
  expect(recorder.readings.noted()).toEqual([]);
  await recorder.stop();
  await here.time.pass(DAY);
  expect((await here.history.earlierReading('Ann'))?.figures).toEqual({ money: 5 });
});

test('what is unwritten grows by a row a driver and hour, not with each reading', () => {
  let batch = emptyBatch;
  for (let at = START; at < START + 2 * HOUR; at += 10 * SECOND) {
    const played = ['Ann', 'Ben'].map((driver) => ({ driver, at, ms: 10 * SECOND }));
    batch = joinedBatch(batch, { ...emptyBatch, played });
  }
  const row = (driver: string, hours: number) => ({
    ...{ driver, at: START + hours * HOUR - 10 * SECOND, ms: HOUR },
  });
  expect(batch.played).toEqual([row('Ann', 1), row('Ben', 1), row('Ann', 2), row('Ben', 2)]);
});

test('a minute in which one server is not known is none in which nobody was there', async () => {
  const here = recordedHistory();
  await here.start();
  here.drivers.set('Ann', {});
  here.two.drivers = ['Ben', 'Cleo', 'Dan'];
  await here.time.pass(10 * MINUTE);
  here.two.drivers = null;
  await here.time.pass(5 * MINUTE);
  here.two.drivers = ['Ben', 'Cleo', 'Dan'];
  await here.time.pass(10 * MINUTE);
  const { points } = await here.history.counts('all', { from: START, to: START + 30 * MINUTE });
  expect(points.length).toBeGreaterThan(10);
  expect(new Set(points.slice(1).map(({ drivers }) => drivers))).toEqual(new Set([4]));
});

test('an overview of nonsense is followed for a few names, not for hundreds', async () => {
  const here = recordedHistory();
  const process = await here.start();
  onTestFinished(process.watchAsBoard());
  const names = Array.from({ length: 300 }, (_, index) => `server ${index}`);
  here.overview = Object.fromEntries(names.map((name) => [name, { online: true }]));
  await here.time.pass(5 * MINUTE);
  await process.stop();
  const span = { from: START, to: START + HOUR };
  const known = await Promise.all(names.map((name) => here.history.uptime(name, span)));
  const followed = known.filter(({ runs }) => runs.length > 0).length;
  expect(followed).toBeGreaterThan(3);
  expect(followed).toBeLessThanOrEqual(24);
});

describe('a session', () => {
  test('begins and ends with the driver, and lasts through a short absence', async () => {
    const here = recordedHistory();
    await here.start();
    await here.time.pass(10 * MINUTE);
    here.drivers.set('Ann', {});
    await here.time.pass(20 * MINUTE);
    here.drivers.delete('Ann');
    await here.time.pass(2 * MINUTE + 30 * SECOND);
    here.drivers.set('ann', {});
    await here.time.pass(17 * MINUTE + 30 * SECOND);
    here.drivers.delete('ann');
    await here.time.pass(10 * MINUTE);
    expect(await sessions(here, 'ANN')).toEqual(['10-50 37']);
    here.drivers.set('Ann', {});
    await here.time.pass(5 * MINUTE);
    expect(await sessions(here, 'Ann')).toEqual(['10-50 37', '60-65 5']);
    const known = await here.history.driver('ann', 20);
    expect(known?.driver).toBe('Ann');
    expect(known?.current).toMatchObject({ server: 'one', startKnown: true });
    expect(known?.sessions).toHaveLength(1);
    const within = async (from: number, to: number): Promise<number> =>
      (await here.history.sessions('ANN', { from: START + from * MINUTE, to: START + to * MINUTE })).length;
    expect([await within(0, 90), await within(49, 60), await within(50, 60), await within(61, 62)]).toEqual([
      2, 1, 0, 1,
    ]);
  });

  test('ends after an absence of more than three minutes', async () => {
    const here = recordedHistory();
    await here.start();
    here.drivers.set('Ann', {});
    await here.time.pass(20 * MINUTE);
    here.drivers.delete('Ann');
    await here.time.pass(4 * MINUTE);
    here.drivers.set('Ann', {});
    await here.time.pass(6 * MINUTE);
    // There at the first reading ever: nobody knows since when.
    expect(await sessions(here, 'Ann')).toEqual(['?0-20 20', '24-30 6']);
  });

  test('counts the minutes in each role where the file tells them', async () => {
    const here = recordedHistory();
    await here.start();
    await here.time.pass(MINUTE);
    here.drivers.set('Ann', { cop: true });
    await here.time.pass(12 * MINUTE);
    here.drivers.set('Ann', { tow: true });
    await here.time.pass(5 * MINUTE);
    here.drivers.set('Ann', {});
    await here.time.pass(5 * MINUTE);
    here.drivers.clear();
    await here.time.pass(5 * MINUTE);
    const duty = (await here.history.driver('Ann', 1))?.sessions[0]?.duty ?? null;
    expect(
      duty && { police: minutes(duty.police), medic: minutes(duty.medic), tow: minutes(duty.tow) },
    ).toEqual({
      police: 12,
      medic: 0,
      tow: 5,
    });
  });
});

describe('a hole', () => {
  test('is no logout: an outage within a session does not count as time played', async () => {
    const here = recordedHistory();
    await here.start();
    await here.time.pass(MINUTE);
    here.drivers.set('Ann', {}).set('Ben', {});
    await here.time.pass(29 * MINUTE);
    here.file.down = true;
    here.drivers.delete('Ben');
    await here.time.pass(20 * MINUTE);
    here.file.down = false;
    await here.time.pass(20 * MINUTE);
    expect(await sessions(here, 'Ann')).toEqual(['1-70 49']);
    // Nobody knows when he left.
    expect(await sessions(here, 'Ben')).toEqual(['1-30? 29']);
    expect(await holes(here)).toEqual(['30-50']);
  });

  test('that is long ends what went before it, without a time', async () => {
    const here = recordedHistory();
    await here.start();
    await here.time.pass(MINUTE);
    here.drivers.set('Ann', {});
    await here.time.pass(29 * MINUTE);
    here.file.down = true;
    await here.time.pass(40 * MINUTE);
    here.file.down = false;
    await here.time.pass(10 * MINUTE);
    expect(await sessions(here, 'Ann')).toEqual(['1-30? 29', '?70-80 10']);
  });

  test('is a file that stands still, also where the bot starts on it', async () => {
    const here = recordedHistory();
    const first = await here.start();
    await here.time.pass(MINUTE);
    here.drivers.set('Ann', {});
    await here.time.pass(18 * MINUTE + 40 * SECOND);
    here.file.frozenAt = here.time.clock.now();
    await here.time.pass(10 * MINUTE + 20 * SECOND);
    await first.stop();
    const second = await here.start();
    await here.time.pass(5 * MINUTE);
    here.file.frozenAt = null;
    here.drivers.clear();
    await here.time.pass(5 * MINUTE);
    await second.stop();
    expect(await sessions(here, 'Ann')).toEqual(['1-20? 19']);
    expect(await holes(here)).toEqual(['20-35']);
  });

  test('is what a killed process had not written: a minute at most', async () => {
    const here = recordedHistory();
    const first = await here.start();
    await here.time.pass(MINUTE);
    here.drivers.set('Ann', {});
    await here.time.pass(29 * MINUTE + 50 * SECOND);
    first.kill();
    await here.time.pass(10 * MINUTE + 10 * SECOND);
    await here.start();
    await here.time.pass(19 * MINUTE);
    expect(await sessions(here, 'Ann')).toEqual(['1-60 48']);
    expect(await holes(here)).toEqual(['30-41']);
  });

  test('is no gap after an orderly restart within the minute; nothing counts twice', async () => {
    const here = recordedHistory();
    const first = await here.start();
    await here.time.pass(MINUTE);
    here.drivers.set('Ann', {});
    await here.time.pass(29 * MINUTE + 20 * SECOND);
    await first.stop();
    await here.time.pass(10 * SECOND);
    await here.start();
    await here.time.pass(30 * MINUTE + 30 * SECOND);
    expect(await sessions(here, 'Ann')).toEqual(['1-61 60']);
    expect(await holes(here)).toEqual([]);
    const { points } = await here.history.counts('one', { from: START, to: START + HOUR });
    expect(points.every(({ drivers }, index) => drivers === (index === 0 ? 0 : 1))).toBe(true);
  });

  test('is a jump of the clock, forwards or backwards, and ends what went on', async () => {
    const here = recordedHistory();
    await here.start();
    await here.time.pass(MINUTE);
    here.drivers.set('Ann', {});
    await here.time.pass(29 * MINUTE);
    here.time.stepWall(2 * HOUR);
    await here.time.pass(10 * MINUTE);
    here.time.stepWall(-3 * HOUR);
    await here.time.pass(10 * MINUTE);
    // Until the time that the clock was ahead has come, what is of it is not told.
    here.drivers.clear();
    await here.time.pass(3 * HOUR);
    const known = await here.history.driver('Ann', 20);
    const all = [...(known?.sessions ?? []), ...(known?.current ? [known.current] : [])];
    // Time that really passed, less a reading or two.
    expect(minutes(all.reduce((sum, { played }) => sum + played, 0))).toBe(49);
    expect(all.map(({ from, to }) => to >= from)).toEqual([true, true, true]);
    expect(all.map(({ startKnown }) => startKnown).filter((is) => !is)).toHaveLength(2);
  });
});

describe('counts', () => {
  test('are averages of their minute, with the most at one time, and those on duty', async () => {
    const here = recordedHistory();
    await here.start();
    here.drivers.set('Ann', { cop: true }).set('Ben', { isChased: true });
    await here.time.pass(5 * MINUTE + 30 * SECOND);
    here.drivers.delete('Ben');
    await here.time.pass(2 * MINUTE);
    const { points, step, since, until } = await here.history.counts('one', {
      from: START,
      to: START + HOUR,
    });
    expect(step).toBe(MINUTE);
    expect([since, until].map((at) => minuteOf(at ?? 0))).toEqual([0, 7]);
    expect(points[4]).toEqual({
      at: START + 4 * MINUTE,
      known: MINUTE,
      drivers: 2,
      most: 2,
      police: 1,
    });
    expect(points[5]?.most).toBe(2);
    expect(points[5]?.drivers).toBeCloseTo(1.5, 1);
    expect(points[6]?.drivers).toBe(1);
  });

  test('of all servers have a peak of one moment, however far back', async () => {
    const here = recordedHistory();
    here.two.drivers = [];
    await here.start();
    const five = ['a', 'b', 'c', 'd', 'e'];
    for (const name of five) here.drivers.set(name, {});
    await here.time.pass(20 * MINUTE);
    here.drivers.clear();
    await here.time.pass(10 * MINUTE);
    here.two.drivers = five.map((name) => `${name}2`);
    await here.time.pass(15 * MINUTE);
    here.two.drivers = [];
    await here.time.pass(20 * MINUTE);
    const now = here.time.clock.now();
    for (const days of [1, 7, 31]) {
      const { points } = await here.history.counts('all', { from: now - days * DAY, to: now });
      expect(Math.max(...points.map(({ most }) => most))).toBe(5);
    }
  });

  test('have the newest minute at any step, and begin with the readings', async () => {
    const here = recordedHistory();
    const process = await here.start();
    await here.time.pass(3 * HOUR);
    await process.stop();
    await here.time.pass(2 * HOUR);
    await here.start();
    await here.time.pass(30 * MINUTE);
    here.drivers.set('Ann', {});
    await here.time.pass(4 * MINUTE);
    const now = here.time.clock.now();
    const of = (ms: number) => here.history.counts('one', { from: now - ms, to: now });
    for (const days of [1, 7, 31]) expect((await of(days * DAY)).latest?.drivers).toBe(1);
    // Its first hour and a half are within the outage.
    const { since, holes } = await of(2 * HOUR);
    expect(since).toBe(now - 2 * HOUR);
    expect(holes.map(({ from, to }) => minuteOf(to) - minuteOf(from))).toEqual([86]);
  });

  test('get coarser with age: minutes for two days, then ten, then hours', async () => {
    const here = recordedHistory();
    const process = await here.start();
    here.drivers.set('Ann', {});
    await here.time.pass(12 * HOUR);
    here.drivers.set('Ben', {});
    await here.time.pass(12 * HOUR);
    const now = here.time.clock.now();
    const ask = async (ago: number) => here.history.counts('one', { from: now - ago, to: now });
    expect((await ask(24 * HOUR)).step).toBe(MINUTE);
    const ten = await ask(7 * 24 * HOUR);
    expect([ten.step, ten.points.length, ten.points[0]?.drivers, ten.points.at(-1)?.drivers]).toEqual([
      10 * MINUTE,
      144,
      1,
      2,
    ]);
    const hours = await ask(100 * 24 * HOUR);
    expect([hours.step, hours.points.length, hours.holes]).toEqual([HOUR, 24, []]);
    // Stored in these steps from the beginning; the finer ones end.
    await process.stop();
    await here.time.pass(3 * 24 * HOUR);
    await here.start();
    const stored = await here.store.read(sql`SELECT DISTINCT step FROM counts ORDER BY step`);
    expect(stored).toEqual([{ step: 600 }, { step: 3600 }]);
  });

  test('of members continue where somebody has them read', async () => {
    const here = recordedHistory();
    const process = await here.start();
    here.file.members = 42;
    const stop = process.watchAsBoard();
    await here.time.pass(5 * MINUTE);
    stop();
    await here.time.pass(20 * MINUTE);
    const { points } = await here.history.counts('members', { from: START, to: START + HOUR });
    expect(points.length).toBeGreaterThanOrEqual(3);
    expect(points.length).toBeLessThan(15);
    expect(new Set(points.map(({ drivers }) => drivers))).toEqual(new Set([42]));
  });
});

test('a file without names is counted, and no driver is invented', async () => {
  const here = recordedHistory();
  await here.start();
  expect(await here.history.namesDrivers()).toBeNull();
  here.file.names = false;
  here.drivers.set('Ann', { cop: true });
  await here.time.pass(5 * MINUTE);
  expect(await here.history.namesDrivers()).toBe(false);
  expect(await here.history.driver('Ann', 1)).toBeNull();
  expect((await here.history.counts('one', { from: START, to: START + HOUR })).points.at(-1)?.drivers).toBe(
    1,
  );
  here.file.names = true;
  await here.time.pass(5 * MINUTE);
  expect(await here.history.namesDrivers()).toBe(true);
});

test('reads the files every ten seconds or as often as boards do; writes each minute', async () => {
  const here = recordedHistory();
  const process = await here.start();
  await here.time.pass(10 * MINUTE);
  const [asked, writes] = [here.asked(), here.writes()];
  await here.time.pass(HOUR);
  // One file that exists, and three that are looked for once a minute.
  expect(here.asked() - asked).toBe(360 + 3 * 60);
  // Beside the hourly tidying.
  expect(here.writes() - writes).toBeLessThanOrEqual(61);
  const stop = process.watchAsBoard();
  await here.time.pass(10 * SECOND);
  const before = here.asked();
  await here.time.pass(MINUTE);
  expect(here.asked() - before).toBeGreaterThanOrEqual(30);
  stop();
  await here.time.pass(MINUTE);
  const after = here.asked();
  await here.time.pass(MINUTE);
  expect(here.asked() - after).toBe(6 + 3);
});

test('of two processes one writes, and the other continues when it is killed', async () => {
  const here = recordedHistory();
  const first = await here.start();
  await here.start();
  await here.time.pass(MINUTE);
  here.drivers.set('Ann', {});
  await here.time.pass(9 * MINUTE);
  expect(here.writes()).toBeLessThanOrEqual(12);
  first.kill();
  await here.time.pass(10 * MINUTE);
  expect(await sessions(here, 'Ann')).toEqual(['1-20 19']);
  expect(await holes(here)).toEqual([]);
});

test('a process that lost the claim leaves history alone, and later continues it', async () => {
  const here = recordedHistory();
  const first = await here.start();
  const second = await here.start();
  await here.time.pass(MINUTE);
  here.drivers.set('Ann', {});
  await here.time.pass(9 * MINUTE);
  await first.loseTo(second, 'expired');
  await here.time.pass(10 * MINUTE);
  second.kill();
  await here.time.pass(10 * MINUTE);
  expect(await sessions(here, 'Ann')).toEqual(['1-30 29']);
  expect(await holes(here)).toEqual([]);
});

test('a stop within a minute loses nothing of it, and counts nothing twice', async () => {
  const here = recordedHistory();
  const first = await here.start();
  const second = await here.start();
  await here.time.pass(MINUTE);
  here.drivers.set('Ann', {});
  await here.time.pass(9 * MINUTE + 40 * SECOND);
  await first.loseTo(second, 'stopped');
  await here.time.pass(9 * MINUTE + 20 * SECOND);
  expect(await sessions(here, 'Ann')).toEqual(['1-20 19']);
  expect(await holes(here)).toEqual([]);
  const { points } = await here.history.counts('one', { from: START, to: START + 20 * MINUTE });
  expect(points.every(({ drivers }, index) => drivers === (index === 0 ? 0 : 1))).toBe(true);
});

test('minutes that the clock repeats stay as they were', async () => {
  const here = recordedHistory();
  await here.start();
  here.drivers.set('Ann', {});
  await here.time.pass(30 * MINUTE);
  here.time.stepWall(-20 * MINUTE);
  here.drivers.set('Ben', {}).set('Cleo', {});
  await here.time.pass(30 * MINUTE);
  const { points } = await here.history.counts('one', { from: START, to: START + HOUR });
  expect(points.slice(12, 28).map(({ drivers }) => drivers)).toEqual(Array(16).fill(1));
  expect(points.slice(32, 38).map(({ drivers }) => drivers)).toEqual(Array(6).fill(3));
});

test('a file with ever new names adds a bounded number of visitors to history', async () => {
  const here = recordedHistory();
  await here.start();
  here.drivers.set('Ann', {});
  await here.time.pass(MINUTE);
  for (let reading = 0; reading < 30; reading += 1) {
    here.drivers.clear();
    here.drivers.set('Ann', {});
    for (let n = 0; n < 499; n += 1) here.drivers.set(`${reading} ${n}`, {});
    await here.time.pass(10 * SECOND);
  }
  here.drivers.clear();
  await here.time.pass(10 * MINUTE);
  const visitors = await here.store.read(sql`SELECT DISTINCT driver FROM sessions`);
  // Fifteen thousand names in five minutes: a thousand at once, and a twelfth of three thousand.
  expect(visitors.length).toBeLessThan(1300);
  expect(visitors.length).toBeGreaterThan(1000);
  expect(await sessions(here, 'Ann')).toEqual(['?0-6 6']);
  // They count as drivers all the same.
  const { points } = await here.history.counts('one', { from: START, to: START + 10 * MINUTE });
  expect(Math.max(...points.map(({ most }) => most))).toBe(500);
});
