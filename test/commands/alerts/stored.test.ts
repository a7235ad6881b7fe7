/** Watches, what is remembered of them, and what was sent, over both kinds of store. */
import { expect } from 'vitest';
import { alerts } from '../../../commands/alerts/feature.ts';
import { createPauseNotices } from '../../../commands/alerts/jobs/pause-notices.ts';
import { newWatchState } from '../../../commands/alerts/models/observe.ts';
import { newWatchId, placeKey, type Watch } from '../../../commands/alerts/models/watch.ts';
import { createWatches, type WatchRecord } from '../../../commands/alerts/models/watches.ts';
import { StoreError } from '../../../src/base/errors.ts';
import { forgetPerson } from '../../../src/store/forget.ts';
import { overFile } from '../../store/over-each-store.ts';
import type { Opened } from '../../store/support.ts';
import { channelWatch, directWatch } from './support/watches.ts';

const NOW = Date.UTC(2026, 2, 5, 12);
const ANNA = '281474976710657001';
const BORIS = '281474976710657002';

const claimed = (key: string, place: string, watches: readonly string[], at = NOW) => ({
  key,
  place,
  watches,
  at,
  cooldown: 1000,
  most: 3,
});

const watching = (watch: Watch, state = newWatchState): WatchRecord => ({ watch, state });

function withAlerts(opened: Opened) {
  const { documents } = opened;
  return { ...opened, watches: createWatches(documents), pauseNotices: createPauseNotices(documents) };
}
type OpenedWithAlerts = ReturnType<typeof withAlerts>;

overFile((overStore) => {
  const test = overStore.extend<{ readonly one: OpenedWithAlerts; readonly two: OpenedWithAlerts }>({
    one: async ({ one }, use) => use(withAlerts(one)),
    two: async ({ two }, use) => use(withAlerts(two)),
  });

  test('refuses a watch in a time zone that the machine does not know', async ({ one }) => {
    const nowhere = directWatch('aaaaaa', { zone: 'Europe/Nowhere' });
    await expect(one.watches.add(watching(nowhere))).rejects.toThrow();
    const here = directWatch('aaaaaa');
    await one.watches.add(watching(here));
    const moved = one.watches.update(here, (watch) => ({ ...watch, zone: 'Europe/Nowhere' }));
    await expect(moved).rejects.toThrow();
    expect(await one.watches.directTo(here.person)).toEqual([here]);
  });

  test('keeps watches in order, up to twenty a place, and reads changed ones again', async ({ one, two }) => {
    const driver = (index: number) =>
      directWatch(newWatchId(), {
        since: NOW + index,
        condition: { kind: 'driver', player: `driver ${index}` },
      });
    const all = Array.from({ length: 20 }, (_, index) => driver(index));
    const lists = new Set([await two.watches.all()]);
    for (const watch of all) {
      expect(await one.watches.add(watching(watch))).toBe('added');
      lists.add(await two.watches.all());
    }
    expect(lists.size).toBe(21);
    expect(await two.watches.all()).toBe(await two.watches.all());
    expect(await two.watches.add(watching(driver(99)))).toBe('person-full');
    const there = channelWatch('bbbbbb', { since: NOW + 99 });
    expect(await two.watches.add(watching(there))).toBe('added');
    expect(await one.watches.all()).toEqual([...all, there]);
    expect(await one.watches.in('1')).toEqual([there]);
    expect(await one.watches.in('2')).toEqual([]);
    expect(await one.watches.directTo('11')).toEqual(all);
    expect(await one.watches.directTo('12')).toEqual([]);

    expect(await two.watches.update(there, (watch) => ({ ...watch, snoozedUntil: NOW }))).toBe(true);
    expect(await one.watches.in('1')).toEqual([{ ...there, snoozedUntil: NOW }]);
    expect(await one.watches.update(directWatch('zzzzzz'), (watch) => watch)).toBe(false);
    expect(await one.watches.remove(there)).toBe(true);
    expect(await two.watches.remove(there)).toBe(false);
    expect(await two.watches.in('1')).toEqual([]);
  });

  test('one guild has two hundred at most over all channels, and frees them all', async ({ one, two }) => {
    const inChannel = (index: number, guild = '1') =>
      channelWatch(newWatchId(), {
        place: { kind: 'channel', guild, channel: `${guild}${Math.floor(index / 10)}`, role: null },
        condition: { kind: 'driver', player: `driver ${index}` },
      });
    for (let index = 0; index < 200; index += 1)
      expect(await one.watches.add(watching(inChannel(index)))).toBe('added');
    expect(await two.watches.add(watching(inChannel(200)))).toBe('guild-full');
    expect(await two.watches.add(watching({ ...inChannel(7), atNight: true }))).toBe('added');
    expect(await two.watches.add(watching(inChannel(0, '2')))).toBe('added');
    expect(await two.watches.add(watching(directWatch(newWatchId())))).toBe('added');
    expect(await two.watches.removeIn('1', Number.POSITIVE_INFINITY)).toBe(200);
    expect(await one.watches.in('1')).toEqual([]);
    expect(await one.watches.all()).toHaveLength(2);
    expect(await one.watches.add(watching(inChannel(200)))).toBe('added');
  });

  test('one person has four hundred at most over all places, apart from others', async ({ one, two }) => {
    const set = (index: number, changes: Partial<Watch> = {}) =>
      channelWatch(newWatchId(), {
        place: { kind: 'channel', guild: `${index % 20}`, channel: `${index % 40}`, role: null },
        condition: { kind: 'driver', player: `driver ${index}` },
        ...changes,
      });
    for (let index = 0; index < 400; index += 1)
      expect(await one.watches.add(watching(set(index)))).toBe('added');
    expect(await two.watches.add(watching(set(0, { place: { kind: 'direct' } })))).toBe('maker-full');
    expect(await two.watches.add(watching(set(7, { atNight: true })))).toBe('added');
    const ofAnother = set(400, {
      person: '12',
      place: { kind: 'channel', guild: '0', channel: '99', role: null },
    });
    expect(await two.watches.add(watching(ofAnother))).toBe('added');
    await two.watches.removeIn('0', Number.POSITIVE_INFINITY);
    expect(await one.watches.add(watching(set(0)))).toBe('added');
  });

  test('the same watch again replaces the earlier one, also where both are set at once', async ({
    one,
    two,
  }) => {
    const again = () => watching(directWatch(newWatchId()));
    await Promise.all([one, two, one, two].map((each) => each.watches.add(again())));
    expect(await one.watches.all()).toHaveLength(1);
    const last = again();
    await two.watches.add(last);
    expect(await one.watches.all()).toEqual([last.watch]);
    // In another place, or as a reminder, it is another one.
    const condition = { kind: 'server', server: 'one', free: 1, drivers: null } as const;
    const once = { until: NOW, channel: '7' };
    await one.watches.add(watching(directWatch('aaaaaa', { condition })));
    await one.watches.add(watching(directWatch('bbbbbb', { condition, once })));
    await one.watches.add(watching(channelWatch('cccccc', { condition })));
    expect(await two.watches.all()).toHaveLength(4);
  });

  test('one watch that cannot be read takes no other one with it', async ({ one, two }) => {
    await one.watches.add(watching(directWatch('aaaaaa')));
    await one.watches.add(
      watching(directWatch('bbbbbb', { condition: { kind: 'duty', duty: 'tow', atLeast: 1 } })),
    );
    const { text } = await one.documents.read('watches', 'direct:11');
    const damaged = (text ?? '').replace('"duty"', '"horoscope"');
    await two.documents.commit([], [{ collection: 'watches', key: 'direct:11', text: damaged }]);
    expect((await one.watches.all()).map(({ id }) => id)).toEqual(['aaaaaa']);
    expect(await two.watches.update(directWatch('bbbbbb'), (watch) => watch)).toBe(false);
  });

  test('remembers the states of watches that exist, without reading the watches again', async ({
    one,
    two,
  }) => {
    const watch = directWatch('aaaaaa');
    const there = new Set([placeKey(watch)]);
    await one.watches.add(watching(watch));
    expect(await two.watches.statesAt(there)).toEqual(new Map([['aaaaaa', newWatchState]]));
    const before = await two.watches.all();
    const state = { ...newWatchState, at: NOW, known: ['online'] };
    await one.watches.saveStates([watching(watch, state), watching(directWatch('bbbbbb'), state)]);
    expect(await two.watches.statesAt(there)).toEqual(new Map([['aaaaaa', state]]));
    expect(await two.watches.all()).toBe(before);
    await two.watches.remove(watch);
    expect(await one.watches.statesAt(there)).toEqual(new Map());
    await one.watches.saveStates([watching(watch, state)]);
    expect(await one.watches.statesAt(there)).toEqual(new Map());
  });

  test('a notice is left for a person until it is taken, once', async ({ one, two }) => {
    expect(await one.pauseNotices.take(ANNA)).toBeNull();
    const [ofAnna, ofBoris] = [
      directWatch('aaaaaa', { person: ANNA }),
      directWatch('bbbbbb', { person: BORIS }),
    ];
    for (const watch of [ofAnna, ofBoris]) await one.watches.add(watching(watch));
    await one.pauseNotices.leave(ofAnna, 'gone');
    await two.pauseNotices.leave(ofAnna, 'closed');
    await two.pauseNotices.leave(ofBoris, 'rights');
    const taken = await Promise.all([one, two].map((each) => each.pauseNotices.take(ANNA)));
    expect(taken.toSorted()).toEqual(['closed', null]);
    expect(await one.pauseNotices.take(BORIS)).toBe('rights');
  });

  test('no notice is left for a person who was forgotten', async ({ one }) => {
    const watch = channelWatch('aaaaaa', { person: ANNA });
    await one.watches.add(watching(watch));
    await forgetPerson(one.documents, alerts.collections, ANNA);
    await one.pauseNotices.leave(watch, 'gone');
    expect(await one.documents.naming(ANNA)).toEqual([]);
  });

  test('keeps the last readings of six hundred conditions, and of one after that', async ({ one, two }) => {
    const state = { ...newWatchState, at: NOW, scope: 'one', known: ['online'] };
    const readings = (count: number) =>
      new Map(Array.from({ length: count }, (_, index) => [`condition ${index}`, state] as const));
    await one.watches.saveReadings(readings(600));
    expect(await two.watches.lastReadings()).toEqual(readings(600));
    await two.watches.saveReadings(readings(1));
    expect(await one.watches.lastReadings()).toEqual(readings(1));
  });

  test('one of two processes may send, within the daily limit and the cooldown', async ({ one, two }) => {
    const claim = (key: string, ids: readonly string[], at: number, who = one) =>
      who.deliveries.claim(claimed(key, 'direct:11', ids, at));
    const both = await Promise.all([claim('k', ['a', 'b'], NOW), claim('k', ['a', 'b'], NOW, two)]);
    expect(both.map((ids) => ids.length).toSorted()).toEqual([0, 2]);
    const again = await Promise.all([claim('l', ['a', 'c'], NOW + 1), claim('m', ['a', 'c'], NOW + 1, two)]);
    expect(again.flat()).toEqual(['c']);
    expect(await claim('n', ['a', 'c'], NOW + 1000)).toEqual(['a']);
    // That was the third of three.
    expect(await claim('o', ['d'], NOW + 24 * 3_600_000 - 1)).toEqual([]);
    expect(await claim('o', ['d'], NOW + 24 * 3_600_000)).toEqual(['d']);
    expect(await one.deliveries.claim(claimed('k', 'direct:12', ['d']))).toEqual(['d']);
    // As after a clock that was ahead was set back.
    const ahead = (key: string, by: number) => claimed(key, 'direct:13', ['d'], NOW + by);
    expect(await one.deliveries.claim(ahead('q', 3_600_000))).toEqual(['d']);
    expect(await one.deliveries.claim(ahead('r', 0))).toEqual(['d']);
    expect(await one.deliveries.claim(ahead('s', 1))).toEqual([]);
    expect((await two.deliveries.since('direct:11', NOW)).map(({ watches }) => watches)).toEqual([
      ['c'],
      ['a'],
      ['d'],
    ]);
  });

  test('one message a week is claimed once, by its key', async ({ one, two }) => {
    const weekly = { key: 'week 12', place: 'digest:1', watches: ['a'], at: NOW, cooldown: 0, most: null };
    const claims = await Promise.all([one, two, one].map((each) => each.deliveries.claim(weekly)));
    expect(claims.flat()).toEqual(['a']);
    const later = NOW + 7 * 24 * 3_600_000;
    expect(await two.deliveries.claim({ ...weekly, at: later })).toEqual([]);
    expect(await two.deliveries.claim({ ...weekly, key: 'week 13', at: later })).toEqual(['a']);
  });

  test('a delivery that nobody settled is given up once, and never claimed again', async ({ one, two }) => {
    await one.deliveries.claim(claimed('k', 'direct:11', ['a']));
    await one.deliveries.claim(claimed('l', 'direct:12', ['b']));
    await one.deliveries.settle('direct:12', 'l');
    expect(await two.deliveries.giveUp(NOW)).toBe(0);
    const given = await Promise.all([two.deliveries.giveUp(NOW + 1), one.deliveries.giveUp(NOW + 1)]);
    expect(given.toSorted()).toEqual([0, 1]);
    expect(await one.deliveries.claim(claimed('k', 'direct:11', ['a']))).toEqual([]);
  });

  test('a delivery is forgotten after eight days, also where no other one follows it', async ({
    one,
    two,
  }) => {
    await one.deliveries.claim(claimed('k', 'direct:11', ['a']));
    const later = NOW + 8 * 24 * 3_600_000;
    expect(await two.deliveries.giveUp(later - 1)).toBe(1);
    expect(await two.deliveries.since('direct:11', 0)).toHaveLength(1);
    expect(await two.deliveries.giveUp(later)).toBe(0);
    expect(await one.deliveries.since('direct:11', 0)).toEqual([]);
  });

  test('a delivery that was certainly not sent can be claimed again', async ({ one, two }) => {
    await one.deliveries.claim(claimed('k', 'direct:11', ['a']));
    await one.deliveries.claim(claimed('l', 'direct:11', ['b']));
    await one.deliveries.withdraw('direct:11', 'k');
    expect(await two.deliveries.claim(claimed('k', 'direct:11', ['a']))).toEqual(['a']);
    expect(await two.deliveries.claim(claimed('l', 'direct:11', ['b']))).toEqual([]);
  });

  test('nothing is sent to a place whose deliveries are unreadable', async ({ one, two }) => {
    await one.deliveries.claim(claimed('k', 'direct:11', ['a']));
    await two.documents.commit([], [{ collection: 'deliveries', key: 'direct:11', text: '[{"key":' }]);
    await expect(one.deliveries.claim(claimed('k', 'direct:11', ['a']))).rejects.toThrow(StoreError);
    await expect(one.deliveries.since('direct:11', 0)).rejects.toThrow(StoreError);
    expect(await one.deliveries.giveUp(NOW + 1)).toBe(0);
    expect(await one.deliveries.claim(claimed('k', 'direct:12', ['a']))).toEqual(['a']);
  });
});
