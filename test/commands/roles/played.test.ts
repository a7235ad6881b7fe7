import { expect, test } from 'vitest';
import { playedWithinMonth } from '../../../commands/roles/models/evaluate.ts';
import { DAY, HOUR } from '../../../src/base/duration.ts';
import { recordedHistory, START } from '../../community/history/support/recorded-history.ts';
import { noHistory } from '../../support/no-history.ts';
import { NOON } from '../../support/records.ts';

const month = { from: NOON - 30 * DAY, since: NOON - 30 * DAY, until: NOON, holes: [] };

function played(
  stretch: Partial<Omit<typeof month, 'holes'>> & { holes?: { from: number; to: number }[] },
  names = true,
) {
  const history = {
    namesDrivers: async () => names,
    top: async () => ({
      ...(await noHistory.history.top('playtime', 'month')),
      ...{ ...month, ...stretch },
      rows: [{ rank: 1, driver: 'Anna', value: 24 * HOUR, read: null }],
    }),
  };
  return playedWithinMonth(history, { now: () => NOON })();
}

test('nothing is known where files name nobody', async () => {
  expect(await played({}, false)).toBeNull();
});

test('time before the first file, in a hole and after the last may be played time', async () => {
  const whole = await played({});
  expect([whole?.('anna'), whole?.('boris')]).toEqual([
    { least: 24 * HOUR, most: 24 * HOUR },
    { least: 0, most: 0 },
  ]);
  const holes = [{ from: NOON - 3 * HOUR, to: NOON - HOUR }];
  expect((await played({ holes }))?.('anna')).toEqual({ least: 24 * HOUR, most: 26 * HOUR });
  expect((await played({ since: month.since + 4 * HOUR }))?.('boris')).toEqual({ least: 0, most: 4 * HOUR });
  expect((await played({ until: NOON - 5 * HOUR }))?.('boris')).toEqual({ least: 0, most: 5 * HOUR });
});

test("time without one server's file may be played time", async () => {
  const past = recordedHistory();
  past.two.drivers = [];
  await past.start();
  past.drivers.set('Ann', {});
  await past.time.pass(HOUR);
  past.drivers.clear();
  past.one.gone = true;
  await past.time.pass(DAY);
  const { clock } = past.time;
  const unseen = async () => {
    const { least = 0, most = 0 } = (await playedWithinMonth(past.history, clock)())?.('Ann') ?? {};
    return Math.round((most - least - (30 * DAY - (clock.now() - START))) / HOUR);
  };
  expect(await unseen()).toBe(24);
  past.one.gone = false;
  await past.time.pass(HOUR);
  expect(await unseen()).toBe(24);
});
