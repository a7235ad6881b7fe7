/** What both kinds of store promise: the same table, run over SQLite and over Redis. */
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { MOST_PER_PLACE, newWatchId, placeKey } from '../../src/alerts/watches.ts';
import { newBoardOptions, newState } from '../../src/board/board-records.ts';
import type { Stores } from '../../src/bot/stores.ts';
import { defaultSettings } from '../../src/people/guild-settings.ts';
import { createCache } from '../../src/service/cache/cache.ts';
import type { Layer } from '../../src/service/call.ts';
import { createClient } from '../../src/service/client.ts';
import { profile } from '../../src/service/endpoints.ts';
import { unfenced } from '../../src/shards/shard-leases.ts';
import { hasRedis } from '../support/requirements.ts';
import { channelWatch, directWatch } from '../support/watches.ts';
import { type Place, redisPlace, sqlitePlace } from './support.ts';

const NOW = Date.UTC(2026, 2, 5, 12);
const ANNA = '281474976710657001';
const BORIS = '281474976710657002';
const CARLA = '281474976710657003';

const own = (username: string) => ({ username, since: NOW, by: 'self' }) as const;
const corrected = (username: string) => ({ username, since: NOW, by: 'administrator' }) as const;
const wanted = { person: ANNA, server: 'One', channel: '7', guild: '1', locale: 'de', expires: NOW + 1000 };
const claimed = (key: string, place: string, watches: readonly string[], at = NOW) => ({
  ...{ key, place, watches, at },
  ...{ cooldown: 1000, most: 3 },
});
const board = (channelId: string, madeBy = ANNA, madeAt = NOW) => ({
  guildId: '1',
  channelId,
  madeBy,
  locale: 'de',
  madeAt,
  removed: false,
  options: newBoardOptions,
});

describe.each([
  { name: 'SQLite', make: sqlitePlace, runs: true },
  { name: 'Redis (needs redis-server)', make: redisPlace, runs: hasRedis },
])('$name', ({ make, runs }) => {
  describe.runIf(runs)('keeps the contract', () => {
    let place: Place;
    /** Two processes. */
    let one: Stores;
    let two: Stores;
    let names = 0;
    /** A namespace is used once. */
    const fresh = () => {
      names += 1;
      return `n${names}`;
    };

    beforeAll(async () => {
      place = await make();
      one = await place.open();
      two = await place.open();
    });
    afterAll(() => place.end());
    beforeEach(() => place.flush());

    test('takes any key and gives back any JSON value, in the other process, too', async () => {
      const name = fresh();
      const written = one.namespace(name, { maxRows: 1000, maxBytes: 10_000_000 });
      const read = two.namespace(name, { maxRows: 1000, maxBytes: 10_000_000 });
      await fc.assert(
        fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.jsonValue(), async (key, value) => {
          await written.set(key, value);
          expect(JSON.stringify(await read.get(key))).toBe(JSON.stringify(value));
        }),
      );
    });

    test('overwrites, deletes, clears, and knows what it has; another namespace is untouched', async () => {
      const [a, b] = [fresh(), fresh()].map((name) =>
        one.namespace(name, { maxRows: 100, maxBytes: 10_000_000 }),
      );
      await b?.set('x', 'of b');
      // Keys that look like another namespace.
      await a?.set(`${names}:x`, 'of a');
      await a?.set(`n${names}:x`, 'of a, too');
      expect(await b?.get('x')).toBe('of b');
      await a?.set('x', 1);
      await a?.set('x', 2);
      await a?.set('y', null);
      expect(await a?.get(['x', 'y', 'nothing'])).toEqual([2, null, undefined]);
      expect(await a?.has('x')).toBe(true);
      expect(await a?.delete('x')).toBe(true);
      expect(await a?.delete('x')).toBe(false);
      expect(await a?.has('x')).toBe(false);
      await a?.clear();
      expect(await a?.get('y')).toBeUndefined();
      expect(await b?.get('x')).toBe('of b');
    });

    test('gives a namespace out once', () => {
      const name = fresh();
      one.namespace(name, { maxRows: 1, maxBytes: 10_000_000 });
      expect(() => one.namespace(name, { maxRows: 1, maxBytes: 10_000_000 })).toThrow(/in use/);
    });

    test('forgets a value when its time is over', async () => {
      const keyv = one.namespace(fresh(), { maxRows: 100, maxBytes: 10_000_000 });
      await keyv.set('short', 1, 80);
      await keyv.set('long', 1);
      expect(await keyv.get('short')).toBe(1);
      await vi.waitFor(async () => expect(await keyv.get('short')).toBeUndefined());
      expect(await keyv.get('long')).toBe(1);
    });

    test('evicts what was written longest ago when it is full, whichever process wrote it', async () => {
      const name = fresh();
      const handles = [one, two].map((stores) =>
        stores.namespace(name, { maxRows: 50, maxBytes: 10_000_000 }),
      );
      const [first] = handles;
      for (let index = 0; index < 200; index += 1) {
        await handles[index % 2]?.set(`${index}`, index);
        if (index === 170) await first?.set('5', 'again');
      }
      // Each process may look only now and then whether there are too many.
      expect(await place.rows(name)).toBeLessThanOrEqual(60);
      expect(await first?.get(['5', '199', '0'])).toEqual(['again', 199, undefined]);
    });

    test('holds a bounded number of bytes, whichever process writes, and values of any size', async () => {
      const name = fresh();
      const limits = { maxRows: 1000, maxBytes: 100_000 };
      const handles = [one, two].map((stores) => stores.namespace(name, limits));
      for (let index = 0; index < 60; index += 1) {
        const value = 'ü'.repeat(1000 + (index % 5) * 1000);
        await handles[index % 2]?.set(`${index}`, value, index % 3 === 0 ? 60_000 : undefined);
        expect(await place.bytes(name)).toBeLessThanOrEqual(106_250);
      }
      expect(await handles[0]?.get('59')).toHaveLength(5000);
      expect(await handles[0]?.get('0')).toBeUndefined();
      // What is written again is counted once, and what is deleted no more.
      for (let index = 0; index < 50; index += 1) await handles[1]?.set('59', 'x'.repeat(9000));
      expect(await handles[0]?.get('58')).toHaveLength(4000);
      expect(await handles[0]?.delete('59')).toBe(true);
      await handles[0]?.set('60', 'x'.repeat(9000));
      expect(await handles[0]?.get('58')).toHaveLength(4000);
      // A value too large for the whole namespace is not stored, and neither is the one it replaces.
      await handles[0]?.set('60', 'x'.repeat(200_000));
      expect(await handles[0]?.get('60')).toBeUndefined();
      expect(await place.bytes(name)).toBeLessThanOrEqual(106_250);
    });

    test('holds a bounded number of answers, for a day at most, whatever is asked for', async () => {
      const name = fresh();
      const keyv = one.namespace(name, { maxRows: 100, maxBytes: 10_000_000 });
      const lives: number[] = [];
      const set = keyv.set.bind(keyv);
      keyv.set = (key, value, ttl) => {
        lives.push(ttl ?? Number.POSITIVE_INFINITY);
        return set(key, value, ttl);
      };
      const layer: Layer = async ({ query }) => ({
        body: { username: Object.values(query)[0] ?? 'x', money: 1 },
        asOf: Date.now(),
        stale: null,
        rate: null,
      });
      const cache = createCache({ keyv, shared: true, clock: { now: Date.now } });
      const service = createClient({
        layer: cache(layer),
        places: { game: 'drivesim', chatPath: 'chat_status' },
      });
      for (let index = 0; index < 300; index += 1)
        await service.get(profile, { username: `driver ${index}` });
      expect(await place.rows(name)).toBeLessThanOrEqual(110);
      expect(Math.max(...lives)).toBeLessThanOrEqual(24 * 3600_000);
      expect(lives).toHaveLength(300);
    });

    test('one driver has one account, and whoever claims it first keeps it', async () => {
      expect(await one.links.set(ANNA, own('Zoë'))).toBe('linked');
      expect(await two.links.of(ANNA)).toEqual(own('Zoë'));
      expect(await two.links.set(BORIS, own('ZOË'))).toBe('taken');
      expect(await one.links.of(BORIS)).toBeNull();
      expect(await two.links.set(BORIS, own('b0ris'))).toBe('linked');
      // A refused link leaves the earlier one unchanged.
      expect(await two.links.set(BORIS, own('zoë'))).toBe('taken');
      expect(await two.links.of(BORIS)).toEqual(own('b0ris'));
      expect(await one.links.remove(ANNA)).toBe(true);
      expect(await two.links.remove(ANNA)).toBe(false);
      expect(await two.links.set(BORIS, own('zoë'))).toBe('linked');
      // The driver that Boris had before is free again.
      expect(await one.links.set(ANNA, own('b0ris'))).toBe('linked');
    });

    test('a link keeps its date while the account keeps the driver, and gets a new one after any break', async () => {
      const linkAt = (person: string, username: string, since: number) =>
        two.links.set(person, { username, since, by: 'self' });
      await linkAt(ANNA, 'Zoë', NOW);
      await linkAt(ANNA, 'ZOË', NOW + 5);
      expect(await one.links.of(ANNA)).toEqual({ username: 'ZOË', since: NOW, by: 'self' });
      await one.links.hide(ANNA, true);
      await linkAt(ANNA, 'Zoë', NOW + 6);
      expect(await one.links.of(ANNA)).toEqual({ username: 'Zoë', since: NOW, by: 'self' });
      // A clock that was ahead does not stay so.
      await linkAt(ANNA, 'Zoë', NOW - 7);
      expect((await one.links.of(ANNA))?.since).toBe(NOW - 7);
      await linkAt(ANNA, 'b0ris', NOW + 8);
      await linkAt(ANNA, 'Zoë', NOW + 9);
      expect((await one.links.of(ANNA))?.since).toBe(NOW + 9);
      await one.links.remove(ANNA);
      await linkAt(BORIS, 'Zoë', NOW + 10);
      expect((await one.links.of(BORIS))?.since).toBe(NOW + 10);
      await one.links.remove(BORIS);
      await linkAt(ANNA, 'Zoë', NOW + 11);
      expect((await one.links.of(ANNA))?.since).toBe(NOW + 11);
    });

    test('what an older version stored on the word of an administrator gives way to the driver itself', async () => {
      expect(await one.links.set(BORIS, corrected('Zoë'))).toBe('linked');
      expect(await one.links.of(BORIS)).toEqual(corrected('Zoë'));
      expect(await two.links.set(ANNA, own('zoë'))).toBe('linked');
      expect(await one.links.of(BORIS)).toBeNull();
      expect(await one.links.of(ANNA)).toEqual(own('zoë'));
    });

    test('an administrator is believed in that guild and nowhere else', async () => {
      await one.links.set(ANNA, own('k3nny'));
      const said = (username: string | null, guild = 'g') => ({ guild, username, since: NOW });
      expect(await one.links.correct(BORIS, said('K3NNY'))).toEqual([BORIS, ANNA]);
      expect(await two.links.of(BORIS, 'g')).toEqual(corrected('K3NNY'));
      expect(await two.links.of(ANNA, 'g')).toBeNull();
      for (const elsewhere of ['h', null]) {
        expect(await two.links.of(ANNA, elsewhere)).toEqual(own('k3nny'));
        expect(await two.links.of(BORIS, elsewhere)).toBeNull();
      }
      // The own word still counts, and linking again is not refused.
      expect(await two.links.set(ANNA, own('k3nny'))).toBe('linked');

      // Corrected for someone else: within a guild, too, a driver has one account.
      expect(await two.links.correct(CARLA, said('k3nny'))).toEqual([CARLA, BORIS]);
      expect(await one.links.of(BORIS, 'g')).toBeNull();
      expect(await two.links.correct(CARLA, said('k3nny'))).toEqual([]);
      expect(await two.links.correct(CARLA, said(null))).toEqual([CARLA]);
      expect(await one.links.of(CARLA, 'g')).toBeNull();
      expect(await one.links.of(ANNA, 'g')).toEqual(own('k3nny'));
      expect(await one.links.correct(ANNA, said(null, 'h'))).toEqual([ANNA]);
      expect(await two.links.of(ANNA, 'h')).toBeNull();
      expect(await two.links.corrections(ANNA)).toEqual([said(null, 'h')]);
    });

    test('links stay one to one after anything that anybody does in two processes', async () => {
      const people = ['1', '2', '3'];
      const act = fc.record({
        at: fc.constantFrom(0, 1),
        person: fc.constantFrom(...people),
        username: fc.constantFrom('a', 'A', 'b', 'B', 'ç', 'Ç', null),
        how: fc.constantFrom('self' as const, 'administrator' as const, 'correct' as const),
      });
      let rounds = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(act, { maxLength: 15 }), async (acts) => {
          for (const person of people) await one.links.remove(person);
          rounds += 1;
          const guild = `round ${rounds}`;
          // All at once: what counts is what holds in the end.
          await Promise.all(
            acts.map(({ at, person, username, how: by }): Promise<unknown> => {
              const { links } = at === 0 ? one : two;
              if (by === 'correct') return links.correct(person, { guild, username, since: 0 });
              return username === null ? links.remove(person) : links.set(person, { username, since: 0, by });
            }),
          );
          const links = await Promise.all(people.map((id) => one.links.of(id)));
          const held = links.flatMap((link) => link?.username.toLowerCase() ?? []);
          expect(new Set(held).size).toBe(held.length);
          const here = await Promise.all(people.map((id) => two.links.of(id, guild)));
          const heldHere = here.flatMap((link) => link?.username.toLowerCase() ?? []);
          expect(new Set(heldHere).size).toBe(heldHere.length);
          // And nobody who is not there holds a driver.
          for (const name of ['a', 'b', 'ç'].filter((free) => !held.includes(free))) {
            expect(await two.links.set('9', own(name))).toBe('linked');
            await two.links.remove('9');
          }
        }),
        { numRuns: 30 },
      );
    });

    test.each(['x'.repeat(65), '🚗'.repeat(33), 'k3\u200bnny', 'k3\nnny', ''])(
      'a link to %j, which nobody could ask for, is not stored, and counts as none where it was',
      async (username) => {
        await one.links.set(ANNA, own('k3nny'));
        await expect(one.links.set(ANNA, own(username))).rejects.toThrow();
        expect(await one.links.of(ANNA)).toEqual(own('k3nny'));
        await place.writeLink(ANNA, username);
        expect(await one.links.of(ANNA)).toBeNull();
        expect((await two.userData.stored(ANNA, NOW)).link).toBeNull();
        expect(await one.links.set(ANNA, own('k3nny'))).toBe('linked');
        expect(await one.links.of(ANNA)).toEqual(own('k3nny'));
      },
    );

    test('of many who claim a driver at the same moment one gets it', async () => {
      const claims = Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? one : two).links.set(`${index}`, own('k3nny')),
      );
      const got = (await Promise.all(claims)).filter((answer) => answer === 'linked');
      expect(got).toHaveLength(1);
    });

    test("keeps a guild's settings, and has the defaults elsewhere", async () => {
      const decided = {
        language: 'de',
        distances: 'miles',
        colours: false,
        refresh: 'asker',
        sharing: false,
      } as const;
      await one.guildSettings.change('1', decided);
      expect(await two.guildSettings.of('1')).toEqual(decided);
      expect(await two.guildSettings.of('2')).toEqual(defaultSettings);
      expect(await two.guildSettings.of(null)).toEqual(defaultSettings);
    });

    test('keeps all settings of a guild that several change at once', async () => {
      const resolved = await Promise.all([
        one.guildSettings.change('1', { language: 'de' }),
        two.guildSettings.change('1', { distances: 'miles' }),
        one.guildSettings.change('1', { sharing: false }),
        two.guildSettings.change('1', { colours: false }),
      ]);
      const all = { language: 'de', distances: 'miles', colours: false, refresh: 'everyone', sharing: false };
      expect(await one.guildSettings.of('1')).toEqual(all);
      // The last of them to be written has heard of all.
      expect(resolved).toContainEqual(all);
    });

    test('subscriptions wait in order until they expire, one for each person and server', async () => {
      await one.subscriptions.add(wanted);
      await two.subscriptions.add({ ...wanted, server: 'Two', guild: null });
      await one.subscriptions.add({ ...wanted, person: BORIS, expires: NOW + 5000 });
      await two.subscriptions.add({ ...wanted, channel: '8' });
      expect((await one.subscriptions.waiting(NOW)).map(({ person, server }) => [person, server])).toEqual([
        [ANNA, 'Two'],
        [BORIS, 'One'],
        [ANNA, 'One'],
      ]);
      expect(await one.subscriptions.of(ANNA, NOW)).toEqual([
        { ...wanted, server: 'Two', guild: null },
        { ...wanted, channel: '8' },
      ]);
      expect(await two.subscriptions.waiting(NOW + 1000)).toEqual([
        { ...wanted, person: BORIS, expires: NOW + 5000 },
      ]);
      // What has expired is gone.
      expect(await one.subscriptions.waiting(NOW)).toHaveLength(1);
    });

    test('of two processes one takes a subscription off', async () => {
      await one.subscriptions.add(wanted);
      const taken = await Promise.all([one, two].map((each) => each.subscriptions.remove(ANNA, 'One')));
      expect(taken.toSorted()).toEqual([false, true]);
    });

    test('keeps watches in order, up to twenty a place, and says when any of them has changed', async () => {
      const place = (index: number) => directWatch(newWatchId(), { since: NOW + index });
      const all = Array.from({ length: MOST_PER_PLACE }, (_, index) => place(index));
      const versions = new Set([await two.watches.version()]);
      for (const watch of all) {
        expect(await one.watches.add(watch)).toBe('added');
        versions.add(await two.watches.version());
      }
      expect(versions.size).toBe(MOST_PER_PLACE + 1);
      expect(await two.watches.add(place(99))).toBe('too-many');
      const there = channelWatch('bbbbbb', { since: NOW + 99 });
      expect(await two.watches.add(there)).toBe('added');
      expect(await one.watches.all()).toEqual([...all, there]);
      expect(await one.watches.in('1')).toEqual([there]);
      expect(await one.watches.in('2')).toEqual([]);
      expect(await one.watches.of('11')).toHaveLength(MOST_PER_PLACE + 1);
      expect(await one.watches.of('12')).toEqual([]);

      const before = await one.watches.version();
      expect(await two.watches.update('bbbbbb', (watch) => ({ ...watch, snoozedUntil: NOW }))).toBe(true);
      expect(await one.watches.in('1')).toEqual([{ ...there, snoozedUntil: NOW }]);
      expect(await one.watches.version()).not.toBe(before);
      expect(await one.watches.update('zzzzzz', (watch) => watch)).toBe(false);
      expect(await one.watches.remove('bbbbbb')).toBe(true);
      expect(await two.watches.remove('bbbbbb')).toBe(false);
      expect(await two.watches.in('1')).toEqual([]);
    });

    test('remembers the states of watches that exist, in the version that they have', async () => {
      await one.watches.add(directWatch('aaaaaa'), '{}');
      expect(await two.watches.states()).toEqual(new Map([['aaaaaa', '{}']]));
      const version = await one.watches.version();
      await one.watches.saveStates(
        new Map([
          ['aaaaaa', '{"x":1}'],
          ['bbbbbb', '{}'],
        ]),
      );
      expect(await two.watches.states()).toEqual(new Map([['aaaaaa', '{"x":1}']]));
      expect(await two.watches.version()).toBe(version);
      await two.watches.remove('aaaaaa');
      expect(await one.watches.states()).toEqual(new Map());
    });

    test('a driver is not watched while their person forbids it', async () => {
      const version = await one.watches.version();
      await one.watches.forbid(ANNA, 'Zoë');
      await two.watches.forbid(BORIS, 'b0ris');
      expect(await two.watches.forbidden()).toEqual(new Set(['zoë', 'b0ris']));
      expect(await two.watches.forbiddenBy(ANNA)).toBe('Zoë');
      expect(await two.watches.version()).not.toBe(version);
      await two.watches.forbid(ANNA, null);
      expect(await one.watches.forbiddenBy(ANNA)).toBeNull();
      expect(await one.watches.forbidden()).toEqual(new Set(['b0ris']));
    });

    test('a word is left for a person until it is taken, once', async () => {
      expect(await one.watches.takePauseNotice(ANNA)).toBeNull();
      await one.watches.leavePauseNotice(ANNA, 'gone');
      await two.watches.leavePauseNotice(ANNA, 'closed');
      await two.watches.leavePauseNotice(BORIS, 'rights');
      const taken = await Promise.all([one, two].map((each) => each.watches.takePauseNotice(ANNA)));
      expect(taken.toSorted()).toEqual(['closed', null]);
      expect(await one.watches.takePauseNotice(BORIS)).toBe('rights');
    });

    test('of two processes one may send, no more than the limit a day, and nothing within the cooldown', async () => {
      const claim = (key: string, ids: readonly string[], at: number, who = one) =>
        who.deliveries.claim(claimed(key, 'direct:11', ids, at));
      const both = await Promise.all([claim('k', ['a', 'b'], NOW), claim('k', ['a', 'b'], NOW, two)]);
      expect(both.map((ids) => ids.length).toSorted()).toEqual([0, 2]);
      const again = await Promise.all([
        claim('l', ['a', 'c'], NOW + 1),
        claim('m', ['a', 'c'], NOW + 1, two),
      ]);
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

    test('one message a week is claimed once, by its key', async () => {
      const weekly = { key: 'week 12', place: 'digest:1', watches: ['a'], at: NOW, cooldown: 0, most: null };
      const claims = await Promise.all([one, two, one].map((each) => each.deliveries.claim(weekly)));
      expect(claims.flat()).toEqual(['a']);
      const later = NOW + 7 * 24 * 3_600_000;
      expect(await two.deliveries.claim({ ...weekly, at: later })).toEqual([]);
      expect(await two.deliveries.claim({ ...weekly, key: 'week 13', at: later })).toEqual(['a']);
    });

    test('a delivery that nobody settled is given up once, and never claimed again', async () => {
      await one.deliveries.claim(claimed('k', 'direct:11', ['a']));
      await one.deliveries.claim(claimed('l', 'direct:12', ['b']));
      await one.deliveries.settle('direct:12', 'l');
      expect(await two.deliveries.giveUp(NOW)).toEqual([]);
      const given = await Promise.all([two.deliveries.giveUp(NOW + 1), one.deliveries.giveUp(NOW + 1)]);
      expect(given.flat()).toEqual([{ key: 'k', place: 'direct:11', watches: ['a'], at: NOW }]);
      expect(await one.deliveries.claim(claimed('k', 'direct:11', ['a']))).toEqual([]);
    });

    test('has another version of its boards after each change of them, not after one of a state', async () => {
      const versions = [await two.boards.version()];
      const look = async () => void versions.push(await two.boards.version());
      await one.boards.saveSettings(board('7'));
      await look();
      await one.boards.saveSettings({ ...board('7'), locale: 'de' });
      await look();
      await one.userData.forget(ANNA);
      await look();
      await one.boards.remove('7', unfenced);
      await look();
      expect(new Set(versions).size).toBe(5);

      await one.boards.saveSettings(board('8'));
      const before = await two.boards.version();
      await one.boards.saveState('8', { ...newState, posted: '99' }, unfenced);
      await one.boards.all();
      expect(await two.boards.version()).toBe(before);
      expect(await one.boards.version()).toBe(before);
    });

    test('keeps boards: settings by whoever decides, states of those that are there', async () => {
      await one.boards.saveSettings(board('7'));
      await one.boards.saveSettings(board('8', BORIS, NOW + 1));
      const state = { ...newState, posted: '99', orphans: ['1', '2'] };
      await two.boards.saveState('7', state, unfenced);
      await two.boards.saveState('unknown', state, unfenced);
      await one.boards.saveSettings({ ...board('7'), removed: true });
      expect(await two.boards.all()).toEqual([
        { settings: { ...board('7'), removed: true }, state },
        { settings: board('8', BORIS, NOW + 1), state: newState },
      ]);
      await one.boards.remove('7', unfenced);
      expect((await two.boards.all()).map(({ settings }) => settings.channelId)).toEqual(['8']);
      // A new one in its place does not take over its message.
      await one.boards.saveSettings(board('7'));
      expect((await two.boards.all()).map((each) => each.state)).toEqual([newState, newState]);
    });

    test('what processes agree on is changed by one of them at a time', async () => {
      expect((await one.fleet.read()).text).toBeNull();
      const first = await Promise.all([one.fleet.replace(null, 'a'), two.fleet.replace(null, 'b')]);
      expect(first.toSorted()).toEqual([false, true]);
      const { text, now } = await two.fleet.read();
      expect(Math.abs(now - Date.now())).toBeLessThan(5000);
      const next = await Promise.all([one.fleet.replace(text, 'c'), two.fleet.replace(text, 'd')]);
      expect(next.toSorted()).toEqual([false, true]);
      expect(await one.fleet.replace('e', 'f')).toBe(false);
      expect((await one.fleet.read()).text).toBe(next[0] ? 'c' : 'd');
    });

    test('keeps chunks of history by series and start, whatever a driver is called', async () => {
      const hostile = ['__proto__', 'a|b', '', 'Łukasz K', '%d', "O'Neill"];
      const series = (key: string) => ({ kind: 'sessions', key });
      const chunks = hostile.flatMap((key) => [
        { ...series(key), start: 2_592_000_000, text: `[${JSON.stringify(key)}]` },
        { ...series(key), start: 0, text: '' },
      ]);
      await one.history.write([...chunks, { kind: 'ten', key: 'a|b', start: 0, text: 'other kind' }]);
      for (const key of hostile)
        expect(await two.history.read(series(key), 0, NOW)).toEqual([
          { ...series(key), start: 0, text: '' },
          { ...series(key), start: 2_592_000_000, text: `[${JSON.stringify(key)}]` },
        ]);
      expect(await two.history.read(series('a|b'), 1, 2_592_000_000)).toHaveLength(1);
      expect(await two.history.read(series('a'), 0, NOW)).toEqual([]);
      expect(await two.history.first(series('%d'))).toMatchObject({ start: 0 });
      expect(await two.history.first(series('nobody'))).toBeNull();
      const all = await two.history.readKind('sessions', 0, 2_591_999_999);
      expect(all.map(({ key, start }) => [key, start])).toEqual(hostile.toSorted().map((key) => [key, 0]));
    });

    test('writes chunks of history over earlier ones, and deletes some, all at once', async () => {
      const at = (start: number, text: string | null) => ({ kind: 'ten', key: 'one', start, text });
      await one.history.write([at(0, 'a'), at(1, 'b'), at(2, 'c')]);
      await two.history.write([at(1, 'B'), at(2, null), at(7, null)]);
      expect((await one.history.read({ kind: 'ten', key: 'one' }, 0, 9)).map(({ text }) => text)).toEqual([
        'a',
        'B',
      ]);
    });

    test('holds a bounded number of bytes of history, and each kind as long as it is worth', async () => {
      const at = (kind: string, start: number) => ({ kind, key: 'one', start, text: 'x'.repeat(100) });
      await one.history.write([0, 1, 2, 3].flatMap((start) => [at('ten', start), at('hour', start)]));
      await two.history.prune('ten', 2);
      const starts = async (kind: string) =>
        (await one.history.readKind(kind, 0, 9)).map(({ start }) => start);
      expect(await starts('ten')).toEqual([2, 3]);
      expect(await starts('hour')).toEqual([0, 1, 2, 3]);
      await one.history.write([{ ...at('hour', 3), text: 'shorter' }]);
      await two.history.evict(407);
      expect([await starts('ten'), await starts('hour')]).toEqual([
        [2, 3],
        [1, 2, 3],
      ]);
      await one.history.evict(150);
      expect([await starts('ten'), await starts('hour')]).toEqual([[3], [3]]);
    });

    test('leaves no byte of deleted history', async () => {
      const at = (start: number, text: string | null) => ({ kind: 'sessions', key: '0dile', start, text });
      await one.history.write([...Array(200).keys()].map((start) => at(start, 'mentions 0DILE '.repeat(50))));
      await one.history.write([{ ...at(0, 'stays'), key: 'zoe' }]);
      expect(place.holding('0DILE').length).toBeGreaterThan(0);
      await two.history.write([...Array(200).keys()].map((start) => at(start, null)));
      expect(await two.history.scrub()).toEqual([]);
      expect(place.holding('0DILE')).toEqual([]);
      expect(place.holding('0dile')).toEqual([]);
      expect(await one.history.read({ kind: 'sessions', key: 'zoe' }, 0, 0)).toHaveLength(1);
    });

    test('a driver is hidden for as long as the link of the account that wants it', async () => {
      expect(await one.links.hide(ANNA, true)).toBe(false);
      await one.links.set(ANNA, own('Zoë'));
      await one.links.set(BORIS, own('b0ris'));
      expect(await two.links.hide(ANNA, true)).toBe(true);
      const hidden = async () =>
        (await one.links.linked()).filter((each) => each.hidden).map(({ username }) => username);
      expect(await hidden()).toEqual(['Zoë']);
      expect((await two.links.linked()).map(({ username }) => username).toSorted()).toEqual(['Zoë', 'b0ris']);
      // Linked again to the same driver, and somebody else tries.
      await two.links.set(ANNA, own('ZOË'));
      await two.links.set(BORIS, own('zoë'));
      expect(await hidden()).toEqual(['ZOË']);
      expect(await one.links.of(ANNA)).toEqual(own('ZOË'));
      await one.links.set(ANNA, own('other'));
      expect(await hidden()).toEqual([]);
      await one.links.hide(ANNA, true);
      await one.links.hide(ANNA, false);
      expect(await hidden()).toEqual([]);
      await one.links.hide(ANNA, true);
      await one.links.remove(ANNA);
      await one.links.set(BORIS, own('other'));
      expect(await hidden()).toEqual([]);
    });

    test('a person has the time zone chosen last, and none that no machine knows', async () => {
      expect(await one.timeZones.of(ANNA)).toBeNull();
      await one.timeZones.set(ANNA, 'Europe/Berlin');
      await one.timeZones.set(ANNA, 'Europe/Warsaw');
      expect(await two.timeZones.of(ANNA)).toBe('Europe/Warsaw');
      await one.timeZones.set(ANNA, 'Middle/Earth');
      expect(await two.timeZones.of(ANNA)).toBeNull();
      expect(await two.timeZones.of(BORIS)).toBeNull();
    });

    test('tells a person all that is stored of them, and forgets it to the last byte', async () => {
      await one.links.set(ANNA, own('k3nny'));
      await one.links.set(BORIS, own('b0ris'));
      const said = { guild: 'g', username: 'zoe', since: NOW };
      await one.links.correct(ANNA, said);
      await one.links.correct(BORIS, { ...said, username: null });
      await one.subscriptions.add(wanted);
      await one.subscriptions.add({ ...wanted, person: BORIS });
      await one.timeZones.set(ANNA, 'Europe/Berlin');
      await one.timeZones.set(BORIS, 'Asia/Kathmandu');
      await one.boards.saveSettings(board('7'));
      await one.boards.saveSettings(board('8', BORIS));
      await one.watches.add(directWatch('aaaaaa', { person: ANNA }));
      await one.watches.add(channelWatch('bbbbbb', { person: ANNA, since: NOW - 1 }));
      await one.watches.add(directWatch('cccccc', { person: BORIS, since: NOW }));
      await one.watches.forbid(ANNA, 'k3nny');
      await one.watches.leavePauseNotice(ANNA, 'closed');
      await one.deliveries.claim(claimed('k', placeKey(directWatch('aaaaaa', { person: ANNA })), ['aaaaaa']));
      const version = await one.watches.version();
      expect(await two.userData.stored(ANNA, NOW)).toEqual({
        link: own('k3nny'),
        corrections: [said],
        subscriptions: [wanted],
        watches: [
          directWatch('aaaaaa', { person: ANNA }),
          channelWatch('bbbbbb', { person: ANNA, since: NOW - 1 }),
        ],
        unwatched: 'k3nny',
        timeZone: 'Europe/Berlin',
        boards: [{ guild: '1', channel: '7', since: NOW }],
      });
      expect(place.holding(ANNA).length).toBeGreaterThan(0);

      await two.userData.forget(ANNA);
      expect(place.holding(ANNA)).toEqual([]);
      expect(await one.watches.version()).not.toBe(version);
      expect((await two.watches.all()).map(({ id, person }) => [id, person])).toEqual([
        ['bbbbbb', ''],
        ['cccccc', BORIS],
      ]);
      expect(await one.userData.stored(ANNA, NOW)).toEqual({
        link: null,
        corrections: [],
        subscriptions: [],
        watches: [],
        unwatched: null,
        timeZone: null,
        boards: [],
      });
      expect((await one.boards.all()).map(({ settings }) => settings.madeBy).toSorted()).toEqual(['', BORIS]);
      expect(await one.userData.stored(BORIS, NOW)).toMatchObject({
        link: own('b0ris'),
        corrections: [{ username: null }],
        subscriptions: [{ person: BORIS }],
        timeZone: 'Asia/Kathmandu',
        boards: [{ channel: '8' }],
      });
      expect(await one.links.set(BORIS, own('k3nny'))).toBe('linked');
    });

    test('what cannot be read counts as what it would be without', async () => {
      await one.links.set(ANNA, own('k3nny'));
      await one.guildSettings.change('1', { ...defaultSettings, colours: false });
      await one.subscriptions.add(wanted);
      await one.watches.add(directWatch('aaaaaa'));
      await one.boards.saveSettings(board('7'));
      await one.boards.saveState('7', { ...newState, posted: '99' }, unfenced);
      await place.scramble();
      expect(await two.links.of(ANNA)).toBeNull();
      expect(await two.guildSettings.of('1')).toEqual(defaultSettings);
      expect(await two.subscriptions.waiting(NOW)).toEqual([]);
      expect(await two.watches.all()).toEqual([]);
      expect(await two.watches.update('aaaaaa', (watch) => watch)).toBe(false);
      expect(await two.boards.all()).toEqual([{ settings: board('7'), state: newState }]);
      expect(await two.links.set(ANNA, own('zoe'))).toBe('linked');
      expect(await one.links.of(ANNA)).toEqual(own('zoe'));
    });

    test('emptied behind our backs, it starts again with nothing, and one request probes', async () => {
      const keyv = one.namespace(fresh(), { maxRows: 10, maxBytes: 10_000_000 });
      await keyv.set('x', 1);
      await one.links.set(ANNA, own('k3nny'));
      await place.flush();
      expect(await keyv.get('x')).toBeUndefined();
      expect(await one.links.of(ANNA)).toBeNull();
      expect(await one.boards.all()).toEqual([]);
      await keyv.set('x', 2);
      expect(await keyv.get('x')).toBe(2);
      const permits = [
        await one.ledger.take('interactive', 1000),
        await two.ledger.take('interactive', 1000),
      ];
      expect(permits.map(({ permit }) => permit !== null)).toEqual([true, false]);
    });

    test('that takes no writes says so, grants nothing, and works again by itself', async () => {
      const keyv = one.namespace(fresh(), { maxRows: 10, maxBytes: 10_000_000 });
      await keyv.set('x', 'kept');
      await one.links.set(ANNA, own('k3nny'));
      const mend = await place.breakWrites();
      await expect(one.links.set(ANNA, own('zoe'))).rejects.toThrow();
      await expect(one.ledger.take('interactive', 1000)).rejects.toThrow();
      await mend();
      const mended = performance.now();
      await vi.waitFor(() => one.links.set(BORIS, own('b0ris')), { timeout: 5000, interval: 20 });
      expect(performance.now() - mended).toBeLessThan(5000);
      expect(await keyv.get('x')).toBe('kept');
      expect(await one.links.of(ANNA)).toEqual(own('k3nny'));
      expect((await one.ledger.take('interactive', 1000)).permit).not.toBeNull();
    }, 15_000);

    test('outlives every process', async () => {
      const name = fresh();
      await one.namespace(name, { maxRows: 10, maxBytes: 10_000_000 }).set('x', 1);
      await one.links.set(ANNA, own('k3nny'));
      await one.boards.saveSettings(board('7'));
      const later = await place.open();
      expect(await later.namespace(name, { maxRows: 10, maxBytes: 10_000_000 }).get('x')).toBe(1);
      expect(await later.links.of(ANNA)).toEqual(own('k3nny'));
      expect(await later.boards.all()).toHaveLength(1);
    });
  });
});
