/** In-game names: anyone can take any of them at any time. */
import { Keyv } from 'keyv';
import { describe, expect, test } from 'vitest';
import { openRecentNames } from '../../../src/command-kit/names/recent-names.ts';
import { NOON } from '../../support/records.ts';

const DAY = 24 * 60 * 60_000;

interface Names {
  readonly store?: Keyv;
  readonly now?: () => number;
  readonly shared?: boolean;
  readonly limits?: { readonly names: number; readonly characters: number };
}

async function memory({ store = new Keyv(), now = () => NOON, ...given }: Names = {}) {
  const names = await openRecentNames(store, {
    ...{ now, ...given },
    failed: (error) => {
      throw error;
    },
  });
  return {
    ...names,
    sees: (username: string, nickname: string, at = NOON) =>
      names.learn({ players: [], vins: [], nicknames: [{ username, nickname }] }, at),
    /** Usernames by what of their in-game name was typed. */
    found: (typed: string) => names.playersCalled(typed).map(({ username, fit }) => `${username} ${fit}`),
  };
}

describe('an in-game name', () => {
  test.each([
    '[TC] Jörg™ |3000|',
    '^1[TC] ^7Jörg™ ^v3000^v',
    '[tc] jorg™ |3000|',
    '  [TC]  Jörg\u2122\u00a0|3000|',
    '^4[TC] J\u00ad\u00f6rg™ ^v3000^v',
  ])('is found by %j', async (typed) => {
    const names = await memory();
    names.sees('mario77', '^1[TC]^8 Jörg\u0099 ^3^v3000^v', NOON - 5);
    expect(names.playersCalled(typed)).toEqual([
      { username: 'mario77', nickname: '[TC] Jörg™ |3000|', at: NOON - 5, fit: 'only' },
    ]);
  });

  test('is found by a part of it, behind those that are it as a whole', async () => {
    const names = await memory();
    names.sees('one', 'Fast Mario');
    names.sees('two', '^1Mario');
    names.sees('three', 'Mario Kart');
    expect(names.found('mario')).toEqual(['two only', 'three part', 'one part']);
    expect(names.found('luigi')).toEqual([]);
    expect(names.found('')).toEqual([]);
    expect(names.found('^1')).toEqual([]);
  });

  test('that two have is of neither alone', async () => {
    const names = await memory();
    names.sees('one', '^1Mario');
    names.sees('two', 'MARIO');
    expect(names.found('Mario')).toEqual(['two whole', 'one whole']);
  });

  test('is the newest one of a driver, whichever answer comes last', async () => {
    const names = await memory();
    names.sees('mario77', 'Mario', NOON - 2000);
    names.sees('MARIO77', 'Luigi', NOON - 1000);
    names.sees('mario77', 'Mario', NOON - 3000);
    expect(names.found('mario')).toEqual([]);
    expect(names.playersCalled('luigi')).toMatchObject([{ username: 'MARIO77', at: NOON - 1000 }]);
  });

  test('is never newer than now, so that no clock that is ahead keeps it', async () => {
    const names = await memory();
    names.sees('mario77', 'Mario', NOON + DAY);
    expect(names.playersCalled('mario')).toMatchObject([{ at: NOON }]);
  });

  test('is forgotten after 30 days', async () => {
    let now = NOON;
    const names = await memory({ now: () => now });
    names.sees('mario77', 'Mario');
    now += 30 * DAY;
    expect(names.found('mario')).toEqual(['mario77 only']);
    now += 1;
    expect(names.found('mario')).toEqual([]);
    names.sees('old', 'Mario', NOON);
    expect(names.found('mario')).toEqual([]);
  });

  test('of no letters is none', async () => {
    const names = await memory();
    names.sees('mario77', '^1\u200b');
    names.sees('luigi', 'x'.repeat(400));
    expect([...names.found('\u200b'), ...names.found('x')]).toEqual([]);
  });
});

describe('in the store, in-game names', () => {
  test('are there again after a restart, with their age', async () => {
    const store = new Keyv();
    const before = await memory({ store });
    before.sees('mario77', '^1Mario', NOON - 1000);
    await before.save();
    const after = await memory({ store });
    expect(after.playersCalled('mario')).toEqual([
      { username: 'mario77', nickname: 'Mario', at: NOON - 1000, fit: 'only' },
    ]);
  });

  test('are written for a new one and once a day, not for every second of a live file', async () => {
    const store = new Keyv();
    const names = await memory({ store, now: () => NOON + 2 * DAY });
    const writes = async () => {
      const before = await store.get('all');
      await store.clear();
      await names.save();
      return before !== undefined && (await store.get('all')) !== undefined;
    };
    names.sees('mario77', 'Mario', NOON);
    await names.save();
    names.sees('mario77', 'Mario', NOON + 1000);
    expect(await writes()).toBe(false);
    await store.set('all', {});
    names.sees('mario77', 'Mario', NOON + DAY);
    expect(await writes()).toBe(true);
    names.sees('mario77', 'Luigi', NOON + DAY + 1);
    expect(await writes()).toBe(true);
  });

  test('that cannot be read cost no other name', async () => {
    const store = new Keyv();
    for (const nicknames of [[['mario77', 'Mario']], 'broken']) {
      await store.set('all', { players: ['anna'], vins: [], nicknames });
      const names = await memory({ store });
      expect([names.players(''), names.found('mario')]).toEqual([['anna'], []]);
    }
  });

  test('of another process are learned, unless this one knows newer ones', async () => {
    const store = new Keyv();
    const [one, two] = [await memory({ store, shared: true }), await memory({ store, shared: true })];
    one.sees('mario77', 'Mario', NOON - 1000);
    one.sees('anna', 'Luigi', NOON - 1000);
    await one.save();
    two.sees('mario77', 'Peach', NOON - 500);
    await two.save();
    expect([two.found('luigi'), two.found('peach'), two.found('mario')]).toEqual([
      ['anna only'],
      ['mario77 only'],
      [],
    ]);
  });

  test('are gone for good once forgotten, also where another process still knows them', async () => {
    const store = new Keyv();
    const [one, two] = [await memory({ store, shared: true }), await memory({ store, shared: true })];
    one.sees('mario77', 'Mario');
    await one.save();
    two.sees('other', 'Other');
    await two.save();
    expect(two.found('mario')).toEqual(['mario77 only']);
    await one.forgetNickname('Mario77');
    expect(one.found('mario')).toEqual([]);
    expect(JSON.stringify(await store.get('all'))).not.toContain('"Mario"');
    two.sees('third', 'Third');
    await two.save();
    expect(two.found('mario')).toEqual([]);
    expect((await memory({ store })).found('mario')).toEqual([]);
  });

  test('take a bounded number of bytes, of which the newest are kept', async () => {
    const store = new Keyv();
    const names = await memory({ store, limits: { names: 100, characters: 1640 } });
    for (let index = 0; index < 200; index += 1)
      names.sees(`${index}`.padStart(64, '\u20ac'), `${index}`.padStart(100, '\u20ac'));
    await names.save();
    expect(Buffer.byteLength(JSON.stringify(await store.get('all')))).toBeLessThan(3 * 1640 + 500);
    expect(names.playersCalled('\u20ac').map(({ nickname }) => nickname.slice(-3))).toEqual(
      Array.from({ length: 10 }, (_, index) => `${199 - index}`),
    );
  });
});
