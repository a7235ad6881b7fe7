/** How much is known of who drove, where one server of several was not read for a while. */
import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../src/base/duration.ts';
import type { Stretch } from '../../../src/community/history/history.ts';
import { type RecordedHistory, recordedHistory, START } from './support/recorded-history.ts';

/** Server Two is always there. Ann has driven on One, whose file is gone after 70 minutes. */
async function oneIsGone() {
  const here = recordedHistory();
  here.two.drivers = [];
  const process = await here.start();
  await here.time.pass(MINUTE);
  here.drivers.set('Ann', {});
  await here.time.pass(HOUR);
  here.drivers.clear();
  await here.time.pass(9 * MINUTE);
  here.one.gone = true;
  return { here, process };
}

const minutes = (ms: number): number => Math.round(ms / MINUTE);
const told = (holes: readonly Stretch[] | undefined): string =>
  (holes ?? []).map(({ from, to }) => `${minutes(from - START)}-${minutes(to - START)}`).join();

/** By every question. */
async function holes({ history }: RecordedHistory): Promise<readonly string[]> {
  const known = [
    await history.driver('Ann', 1),
    await history.top('playtime', 'month'),
    await history.top('playtime', 'all'),
  ];
  return [...new Set(known.map((each) => told(each?.holes)))];
}

test("time without one server's file is a gap in what is known of drivers", async () => {
  const { here, process } = await oneIsGone();
  const missing = 24 * 60;
  await here.time.pass(missing * MINUTE);
  // While it lasts, up to the newest reading of Two.
  expect(await holes(here)).toEqual([`70-${70 + missing}`]);
  expect((await here.history.driver('Ann', 1))?.until).toBeGreaterThan(here.time.clock.now() - MINUTE);
  here.one.gone = false;
  await here.time.pass(HOUR);
  expect(await holes(here)).toEqual([`70-${70 + missing}`]);
  // Something is known of both days.
  expect((await here.history.usualHours('Ann', 'UTC')).days).toBe(2);

  await process.stop();
  await here.time.pass(6 * DAY);
  await here.start();
  await here.time.pass(MINUTE);
  const { holes: byHours } = await here.history.top('playtime', 'month');
  expect(byHours.map(({ from, to }) => minutes(to - from))).toEqual([missing, 6 * 24 * 60]);
  const week = await here.history.top('playtime', 'week');
  expect(week.holes[0]?.from).toBe(week.from);
});

test('a server that is gone for more than a week counts as switched off', async () => {
  const { here, process } = await oneIsGone();
  await here.time.pass(3 * HOUR);
  await process.stop();
  await here.time.pass(7 * DAY);
  await here.start();
  await here.time.pass(MINUTE);
  const [stop, start] = [70 + 180, 70 + 180 + 7 * 24 * 60];
  expect(await holes(here)).toEqual([`${stop}-${start}`]);
  here.one.gone = false;
  await here.time.pass(HOUR);
  expect(await holes(here)).toEqual([`${stop}-${start}`]);
});

test('a server that is new was not missing before', async () => {
  const here = recordedHistory();
  await here.start();
  here.drivers.set('Ann', {});
  await here.time.pass(HOUR);
  here.two.drivers = [];
  await here.time.pass(HOUR);
  expect(await holes(here)).toEqual(['']);
});
