/** What both kinds of store promise: the same table, run over SQLite and over PostgreSQL. */

import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, vi } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { createCache } from '../../src/service/cache/cache.ts';
import type { Layer } from '../../src/service/call.ts';
import { createClient } from '../../src/service/client.ts';
import { profile } from '../../src/service/endpoints.ts';
import { newBoardOptions } from '../../src/service/models/board.ts';
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

  test('keeps chunks of history by series and start, whatever a driver is called', async ({ one, two }) => {
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

  test('writes chunks of history over earlier ones, and deletes some, all at once', async ({ one, two }) => {
    const at = (start: number, text: string | null) => ({ kind: 'ten', key: 'one', start, text });
    await one.history.write([at(0, 'a'), at(1, 'b'), at(2, 'c')]);
    await two.history.write([at(1, 'B'), at(2, null), at(7, null)]);
    expect((await one.history.read({ kind: 'ten', key: 'one' }, 0, 9)).map(({ text }) => text)).toEqual([
      'a',
      'B',
    ]);
  });

  test('keeps each kind of history as long as it is worth', async ({ one, two }) => {
    const at = (kind: string, start: number) => ({ kind, key: 'one', start, text: 'x' });
    await one.history.write(
      Array.from({ length: 300 }, (_, start) => [at('ten', start), at('hour', start)]).flat(),
    );
    await two.history.prune('ten', 298);
    const starts = async (kind: string) =>
      (await one.history.readKind(kind, 0, 300)).map(({ start }) => start);
    expect(await starts('ten')).toEqual([298, 299]);
    expect(await starts('hour')).toHaveLength(300);
  });

  test('holds a bounded number of bytes of history: the newest, of whatever kind', async ({ one, two }) => {
    const at = (kind: string, start: number) => ({ kind, key: 'one', start, text: 'x'.repeat(4000) });
    await one.history.write(
      Array.from({ length: 200 }, (_, start) => [at('ten', start), at('hour', start)]).flat(),
    );
    await one.history.write([{ ...at('hour', 199), text: 'shorter' }]);
    await two.history.evict(10_000_000);
    const starts = async (kind: string) =>
      (await one.history.readKind(kind, 0, 200)).map(({ start }) => start);
    expect(await starts('ten')).toHaveLength(200);
    await two.history.evict(800_000);
    const left = [...(await starts('ten')), ...(await starts('hour'))];
    expect(left.length).toBeLessThanOrEqual(200);
    expect(left.length).toBeGreaterThan(100);
    expect(Math.min(...left)).toBeGreaterThanOrEqual(200 - Math.ceil(left.length / 2) - 1);
    await one.history.evict(0);
    expect([...(await starts('ten')), ...(await starts('hour'))]).toEqual([]);
  });

  test('others are answered while a long history is deleted', async ({ one, two }) => {
    for (let from = 0; from < 20_000; from += 1000)
      await one.history.write(
        Array.from({ length: 1000 }, (_, index) => ({
          ...{ kind: index % 2 === 0 ? 'ten' : 'hour', key: 'one', start: from + index, text: 'x' },
        })),
      );
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
    expect(await answeredDuring(two.history.prune('ten', 20_000))).toBeGreaterThan(1);
    expect(await answeredDuring(two.history.evict(0))).toBeGreaterThan(1);
    expect(await one.history.readKind('hour', 0, 20_000)).toEqual([]);
  });

  test.runIf(isFile)('leaves no byte of deleted history', async ({ place, one, two }) => {
    const at = (start: number, text: string | null) => ({ kind: 'sessions', key: '0dile', start, text });
    await one.history.write([...Array(200).keys()].map((start) => at(start, 'mentions 0DILE '.repeat(50))));
    await one.history.write([{ ...at(0, 'stays'), key: 'zoe' }]);
    expect((await place.holding('0DILE')).length).toBeGreaterThan(0);
    await two.history.write([...Array(200).keys()].map((start) => at(start, null)));
    expect(await two.history.scrub()).toEqual([]);
    expect(await place.holding('0DILE')).toEqual([]);
    expect(await place.holding('0dile')).toEqual([]);
    expect(await one.history.read({ kind: 'sessions', key: 'zoe' }, 0, 0)).toHaveLength(1);
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
