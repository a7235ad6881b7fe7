/** What both kinds of store promise: the same table, run over SQLite and over PostgreSQL. */

import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, onTestFinished, vi } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { DAY, HOUR, MINUTE } from '../../src/base/duration.ts';
import { sql } from '../../src/base/sql.ts';
import { newBoardOptions } from '../../src/cards/board/board.ts';
import { tidy } from '../../src/community/history/bounds.ts';
import { addMinutes } from '../../src/community/history/counts.ts';
import { type History, topSubjects } from '../../src/community/history/history.ts';
import { writePast } from '../../src/community/history/past.ts';
import { allCoverage, createQuestions } from '../../src/community/history/questions.ts';
import { addSessions, readSession, selectSessions } from '../../src/community/history/sessions.ts';
import { createCache } from '../../src/service/cache/cache.ts';
import type { Layer } from '../../src/service/call.ts';
import { createClient } from '../../src/service/client.ts';
import { profile } from '../../src/service/endpoints.ts';
import { sameSpelling } from '../../src/service/models/identifiers.ts';
import { openTemporaryHistory } from '../../src/store/sqlite/history.ts';
import { createCommunity } from '../community/history/support/community.ts';
import { overEachStore } from './over-each-store.ts';

const NOW = Date.UTC(2026, 2, 5, 12);
const ANNA = '281474976710657001';
const BORIS = '281474976710657002';

const link = (username: string) => ({ username, since: NOW });
const own = (username: string) =>
  ({ username, since: NOW, by: 'self', hidden: false, unwatched: false, proved: null }) as const;
const board = (channelId: string, madeBy = ANNA, madeAt = NOW) => ({
  guildId: '1',
  channelId,
  madeBy,
  locale: 'de',
  colours: true,
  madeAt,
  removed: false,
  options: newBoardOptions,
});

/** A namespace is used once. */
let names = 0;
const fresh = (): string => {
  names += 1;
  return `n${names}`;
};

overEachStore((test, { isFile }) => {
  test('takes any key and gives back any JSON value, in the other process, too', async ({ one, two }) => {
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

  test('overwrites and deletes; another namespace is untouched', async ({ one }) => {
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
    const all = () => Promise.all(['x', 'y', 'nothing'].map((key) => a?.get(key)));
    expect(await all()).toEqual([2, null, undefined]);
    expect(await a?.delete('x')).toBe(true);
    expect(await a?.delete('x')).toBe(false);
    expect(await all()).toEqual([undefined, null, undefined]);
    expect(await b?.get('x')).toBe('of b');
  });

  test('gives a namespace out once', ({ one }) => {
    const name = fresh();
    one.namespace(name, { maxRows: 1, maxBytes: 10_000_000 });
    expect(() => one.namespace(name, { maxRows: 1, maxBytes: 10_000_000 })).toThrow(/in use/);
  });

  test('forgets a value when its time is over', async ({ one }) => {
    const keyv = one.namespace(fresh(), { maxRows: 100, maxBytes: 10_000_000 });
    await keyv.set('short', 1, 300);
    await keyv.set('long', 1);
    expect(await keyv.get('short')).toBe(1);
    await vi.waitFor(async () => expect(await keyv.get('short')).toBeUndefined(), 20_000);
    expect(await keyv.get('long')).toBe(1);
  });

  test('evicts what was written longest ago when it is full, whichever process wrote it', async ({
    place,
    one,
    two,
  }) => {
    const name = fresh();
    const handles = [one, two].map((stores) => stores.namespace(name, { maxRows: 50, maxBytes: 10_000_000 }));
    const [first] = handles;
    for (let index = 0; index < 200; index += 1) {
      await handles[index % 2]?.set(`${index}`, index);
      if (index === 170) await first?.set('5', 'again');
    }
    // Each process may look only now and then whether there are too many.
    expect(await place.rows(name)).toBeLessThanOrEqual(60);
    expect(await first?.get(['5', '199', '0'])).toEqual(['again', 199, undefined]);
  });

  test('holds a bounded number of bytes over all processes, and values of any size', async ({
    place,
    one,
    two,
  }) => {
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

  test('holds a bounded number of answers, for a day at most, whatever is asked for', async ({
    place,
    one,
  }) => {
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
    const cache = createCache({ keyv, shared: false, clock: systemClock });
    const service = createClient({
      layer: cache(layer),
      places: { game: 'drivesim', chatPath: 'chat_status' },
    });
    for (let index = 0; index < 300; index += 1) await service.get(profile, { username: `driver ${index}` });
    expect(await place.rows(name)).toBeLessThanOrEqual(110);
    expect(Math.max(...lives)).toBeLessThanOrEqual(24 * 3600_000);
    expect(lives).toHaveLength(300);
  });

  test('answers of history are the same over each store', async ({ one, two }) => {
    const community = createCommunity({
      ...{ seed: 5, drivers: 6, sessions: 400, most: 100, since: NOW - 90 * DAY, until: NOW },
    });
    const runs = [{ name: 'two', isUp: false, from: NOW - HOUR, to: NOW }];
    const offers = [{ vin: 'AAAA1', model: 'XRT', at: NOW - DAY, price: null, gone: null }];
    const past = { ...community, underWay: [], offers, runs };
    const memory = openTemporaryHistory();
    onTestFinished(() => memory.close());
    await writePast(past, memory);
    await writePast(past, one.history);
    const parts = { clock: { now: () => NOW }, isHidden: () => false, coverage: allCoverage };
    const here = createQuestions({ store: memory, ...parts });
    const there = createQuestions({ store: two.history, ...parts });
    const month = { from: NOW - 30 * DAY, to: NOW };
    const year = { from: NOW - 400 * DAY, to: NOW };
    const ask: readonly ((history: History) => Promise<unknown>)[] = [
      ...[month, year].flatMap((span) =>
        (['all', 'one'] as const).map((place) => (history: History) => history.counts(place, span)),
      ),
      ...topSubjects.flatMap((subject) =>
        (['week', 'month', 'all'] as const).map((span) => (history: History) => history.top(subject, span)),
      ),
      (history) => history.driver('driver 0', 20),
      (history) => history.week('two', 'Europe/Berlin'),
      (history) => history.usualHours('Driver 1', 'Asia/Kolkata'),
      (history) => history.readings('driver 2', year),
      (history) => history.playtime(month),
      (history) => history.offers(['xrt']),
      (history) => history.uptime('two', month),
      (history) => history.bestRanks(),
    ];
    for (const question of ask) expect(await question(there)).toEqual(await question(here));
  });

  test('keeps sessions apart, whatever a driver is called', async ({ one, two }) => {
    const hostile = ['__proto__', 'a|b', '', 'Łukasz K', '%d', "O'Neill"];
    const session = {
      ...{ server: 'one' as const, played: HOUR, duty: null, startKnown: true, endKnown: false },
      ...{ from: NOW - HOUR, to: NOW },
    };
    const sessions = hostile.map((driver) => ({ driver, session }));
    await one.history.write(() => addSessions(sessions, one.history));
    for (const driver of hostile) {
      const rows = await two.history.read(selectSessions(sameSpelling(driver)));
      expect(rows.map(readSession)).toEqual([session]);
      expect(rows[0]?.['name']).toBe(driver);
    }
    expect(await two.history.read(selectSessions('a'))).toEqual([]);
  });

  test('keeps history as long as it is worth, and a bounded number of sessions', async ({ one, two }) => {
    const old = [500, 300, 100, 1].map((days) => ({
      place: 'one' as const,
      minute: { at: NOW - days * DAY, drivers: 3, most: 3, police: null },
    }));
    const session = { server: 'one' as const, duty: null, startKnown: true, endKnown: true, played: HOUR };
    const sessions = Array.from({ length: 300 }, (_, days) => ({
      driver: `driver ${days}`,
      session: { ...session, from: NOW - (days + 1) * DAY, to: NOW - (days + 1) * DAY + HOUR },
    }));
    await one.history.write(function* () {
      yield* addMinutes(old, one.history);
      yield* addSessions(sessions, one.history);
    });
    const left = async (table: string) =>
      (await one.history.read({ parts: [`SELECT * FROM ${table}`], values: [] })).length;
    await tidy({ store: two.history, isLinked: () => false }, NOW);
    // Of each the hour, of one the ten minutes and the minute.
    expect([await left('counts'), await left('coverage'), await left('sessions')]).toEqual([5, 3, 300]);
    await tidy({ store: two.history, isLinked: () => false }, NOW, 200);
    expect(await left('counts')).toBe(4);
    expect(await left('sessions')).toBeLessThanOrEqual(200);
    expect(await left('sessions')).toBeGreaterThan(190);
    expect(await left('drivers')).toBe(await left('sessions'));
  });

  test('others are answered while a long history is deleted', async ({ one, two }) => {
    const sessions = Array.from({ length: 10_000 }, (_, index) => ({
      driver: `driver ${index}`,
      session: {
        ...{ server: 'one' as const, duty: null, startKnown: true, endKnown: true, played: HOUR },
        ...{ from: NOW - 500 * DAY + index * MINUTE, to: NOW - 499 * DAY + index * MINUTE },
      },
    }));
    await one.history.write(() => addSessions(sessions, one.history));
    const answeredDuring = async (work: Promise<void>): Promise<number> => {
      let [isOver, answers] = [false, 0];
      const over = work.then(() => {
        isOver = true;
      });
      for (; !isOver; answers += 1) {
        await one.documents.read('people', '1');
        await setImmediate();
      }
      await over;
      return answers;
    };
    // The first answer may come before it begins.
    expect(await answeredDuring(tidy({ store: two.history, isLinked: () => false }, NOW))).toBeGreaterThan(1);
    expect(await one.history.read(sql`SELECT * FROM sessions`)).toEqual([]);
  });

  test.runIf(isFile)('leaves no byte of deleted history', async ({ place, one, two }) => {
    const session = { server: 'one' as const, duty: null, startKnown: true, endKnown: true, played: HOUR };
    const names = [...Array.from({ length: 200 }, (_, index) => `0DILE ${index}`), 'Zoe'];
    const sessions = names.map((driver) => ({ driver, session: { ...session, from: 0, to: HOUR } }));
    await one.history.write(() => addSessions(sessions, one.history));
    expect((await place.holding('0DILE')).length).toBeGreaterThan(0);
    await two.history.write(function* () {
      for (const table of ['sessions', 'drivers'])
        yield { parts: [`DELETE FROM ${table} WHERE driver <> 'zoe'`], values: [] };
    });
    expect(await two.history.scrub()).toEqual([]);
    expect(await place.holding('0DILE')).toEqual([]);
    expect(await place.holding('0dile')).toEqual([]);
    expect(await one.history.read(selectSessions('zoe'))).toHaveLength(1);
  });

  test('emptied behind our backs, it starts again with nothing, and one request probes', async ({
    place,
    one,
    two,
  }) => {
    const keyv = one.namespace(fresh(), { maxRows: 10, maxBytes: 10_000_000 });
    await keyv.set('x', 1);
    await one.links.set(ANNA, link('k3nny'));
    await place.flush();
    expect(await keyv.get('x')).toBeUndefined();
    expect(await one.links.of(ANNA)).toBeNull();
    expect(await one.boards.all()).toEqual(new Map());
    await keyv.set('x', 2);
    expect(await keyv.get('x')).toBe(2);
    const permits = [await one.ledger.take('interactive', 1000), await two.ledger.take('interactive', 1000)];
    expect(permits.map(({ permit }) => permit !== null)).toEqual([true, false]);
  });

  test('that takes no writes says so, grants nothing, and works again by itself', async ({ place, one }) => {
    const keyv = one.namespace(fresh(), { maxRows: 10, maxBytes: 10_000_000 });
    await keyv.set('x', 'kept');
    await one.links.set(ANNA, link('k3nny'));
    const mend = await place.breakWrites();
    await expect(one.links.set(ANNA, link('zoe'))).rejects.toThrow();
    await expect(one.ledger.take('interactive', 1000)).rejects.toThrow();
    await mend();
    await vi.waitFor(() => one.links.set(BORIS, link('b0ris')), { timeout: 20_000, interval: 20 });
    expect(await keyv.get('x')).toBe('kept');
    expect(await one.links.of(ANNA)).toEqual(own('k3nny'));
    expect((await one.ledger.take('interactive', 1000)).permit).not.toBeNull();
  });

  test('outlives every process', async ({ place, one }) => {
    const name = fresh();
    await one.namespace(name, { maxRows: 10, maxBytes: 10_000_000 }).set('x', 1);
    await one.links.set(ANNA, link('k3nny'));
    await one.boards.add(board('7'));
    const later = await place.open();
    expect(await later.namespace(name, { maxRows: 10, maxBytes: 10_000_000 }).get('x')).toBe(1);
    expect(await later.links.of(ANNA)).toEqual(own('k3nny'));
    expect([...(await later.boards.all()).keys()]).toEqual(['7']);
  });
});
