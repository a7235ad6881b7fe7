/** What every profile asks of history is remembered for a while, but nothing of who was hidden or deleted. */
import { expect, onTestFinished, test } from 'vitest';
import { DAY, HOUR } from '../../../src/base/duration.ts';
import { StoreError } from '../../../src/base/errors.ts';
import { createLog } from '../../../src/base/log.ts';
import { type Query, runSteps, type Steps } from '../../../src/base/sql.ts';
import { collections } from '../../../src/bot/collections.ts';
import { openHiddenDrivers } from '../../../src/community/accounts/hidden-drivers.ts';
import { createOwnData } from '../../../src/community/accounts/own-data.ts';
import { openHistory } from '../../../src/community/history/open-history.ts';
import { writePast } from '../../../src/community/history/past.ts';
import { VirtualTime } from '../../sim/virtual-time.ts';
import { sqlitePlace } from '../../store/support.ts';
import { driver } from '../../support/records.ts';
import { START } from './support/recorded-history.ts';

const readings = [{ at: START - DAY, figures: { money: 5 } }];
const session = { server: 'one', played: HOUR, duty: null, startKnown: true, endKnown: true } as const;
const sessions = [{ driver: 'Ann', session: { ...session, from: START - 2 * HOUR, to: START - HOUR } }];

/** Where nothing was noted. */
function* nothingToDo(): Steps<void> {}

const PERSON = '281474976710657001';

/** Ann has driven for an hour, and `asked` counts what is read of it. */
async function ann() {
  const place = await sqlitePlace();
  const time = new VirtualTime(START);
  const log = createLog({ level: 'silent', secrets: [] });
  const opened = await place.open();
  const resources = new AsyncDisposableStack();
  onTestFinished(async () => {
    await resources.disposeAsync();
    await place.end();
  });
  const past = {
    sessions,
    underWay: [],
    runs: [],
    readings: [{ driver: 'Ann', readings }],
    offers: [],
    holes: [],
    since: START - DAY,
    until: START,
  };
  await writePast(past, opened.history);
  await opened.links.set(PERSON, { username: 'Ann', since: START - 2 * DAY });
  let asked = 0;
  let isDown = false;
  const counted =
    <Asked extends readonly unknown[], Answer>(read: (...given: Asked) => Promise<Answer>) =>
    (...given: Asked): Promise<Answer> => {
      asked += 1;
      return isDown ? Promise.reject(new StoreError('away')) : read(...given);
    };
  const store = { ...opened, history: { ...opened.history, read: counted(opened.history.read) } };
  const drivers = { hidden: [], shown: [] };
  const runtime = { clock: time.clock, log, resources };
  const hidden = await openHiddenDrivers(drivers, store, runtime);
  const { history, lookUps, forgetDriver } = openHistory(store, hidden, runtime);
  const forgotten: string[] = [];
  const names = { forgetNickname: async (username: string) => void forgotten.push(username) };
  return {
    ...{ history, lookUps, hidden, time, forgotten },
    asked: () => asked,
    fail(down: boolean) {
      isDown = down;
    },
    forget: () =>
      createOwnData({
        ...{ documents: store.documents, collections, links: store.links },
        forgetter: store.forgetter,
        isShared: store.isShared,
        hidden,
        names,
        forgetDriver,
        failed: (collection, error) => void log.error({ err: error, collection }),
      }).forget(PERSON, {
        history: true,
        now: START + 30 * DAY,
      }),
    async known() {
      return {
        ranks: [...(await history.bestRanks())],
        money: (await history.earlierReading('ann'))?.figures.money,
        online: (await history.top('playtime', 'all')).rows.length,
        names: await history.namesDrivers(),
      };
    },
  };
}

const all = {
  ranks: [['ann', { subject: 'playtime', rank: 1, count: 1 }]],
  money: 5,
  online: 1,
  names: null,
};
const nothing = { ranks: [], money: undefined, online: 0, names: null };

test('asked again within half a minute, nothing is read', async () => {
  const { known, asked, time } = await ann();
  expect(await known()).toEqual(all);
  const once = asked();
  await time.pass(29_000);
  expect(await known()).toEqual(all);
  expect(asked()).toBe(once);
  await time.pass(2000);
  expect(await known()).toEqual(all);
  expect(asked()).toBe(2 * once);
});

test('pages of any driver read the coverage of all drivers, and a ranking, once', async () => {
  const { history, asked } = await ann();
  await history.driver('ann', 0);
  const first = asked();
  await history.driver('ann', 0);
  // The state of the recorder, and the driver's own sessions.
  expect(asked() - first).toBe(2);
  expect(first).toBeGreaterThan(2);
  const { rows } = await history.top('playtime', 'all');
  const before = asked();
  expect((await history.top('playtime', 'all')).rows).toEqual(rows);
  expect(asked()).toBe(before);
});

test('who is hidden is in no answer from before, and is back once shown', async () => {
  const { known, hidden } = await ann();
  expect(await known()).toEqual(all);
  await hidden.setPrivacy(PERSON, { hidden: true });
  expect(await known()).toEqual(nothing);
  await hidden.setPrivacy(PERSON, { hidden: false });
  expect(await known()).toEqual(all);
});

test('who is deleted is in no answer from before', async () => {
  const { known, forget, forgotten } = await ann();
  expect(await known()).toEqual(all);
  await forget();
  expect(await known()).toEqual(nothing);
  // Nor is the driver found by the in-game name.
  expect(forgotten).toEqual(['Ann']);
});

test('does not write a profile that was read just before its driver was deleted', async () => {
  const { lookUps, forget } = await ann();
  lookUps.observed({ kind: 'profile', record: driver({ username: 'ANN' }) }, START);
  lookUps.observed({ kind: 'profile', record: driver({ username: 'Ben' }) }, START);
  await forget();
  const written: Query[] = [];
  runSteps(lookUps.take()?.() ?? nothingToDo(), (query) => {
    written.push(query);
    return [];
  });
  expect(JSON.stringify(written)).toContain('ben');
  expect(JSON.stringify(written)).not.toMatch(/ann/i);
});

test('does not write a profile that was read just before its driver was hidden', async () => {
  const { lookUps, hidden } = await ann();
  lookUps.observed({ kind: 'profile', record: driver({ username: 'Ann' }) }, START);
  await hidden.setPrivacy(PERSON, { hidden: true });
  expect(runSteps(lookUps.take()?.() ?? nothingToDo(), () => [])).toBeUndefined();
});

test('a failure is not remembered', async () => {
  const { known, fail } = await ann();
  fail(true);
  await expect(known()).rejects.toThrow(StoreError);
  fail(false);
  expect(await known()).toEqual(all);
});
