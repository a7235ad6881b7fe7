import fc from 'fast-check';
import { Keyv } from 'keyv';
import { describe, expect, test } from 'vitest';
import { createNameIndex } from '../../../src/command-kit/names/name-index.ts';
import {
  openRecentNames,
  type RecentNamesMemory,
  withoutHidden,
} from '../../../src/command-kit/names/recent-names.ts';
import { NOON } from '../../support/records.ts';

const now = () => NOON;

function failed(error: unknown): never {
  throw error;
}

async function memory(store = new Keyv(), limit?: number): Promise<RecentNamesMemory> {
  return openRecentNames(store, {
    now,
    failed,
    ...(limit === undefined ? {} : { limits: { names: limit, characters: 1000 } }),
  });
}

const players = (...names: string[]) => ({ players: names, vins: [] });

describe('suggestions for a player', () => {
  test('begin with the newest while nothing is typed', async () => {
    const recentNames = await memory();
    recentNames.learn(players('Anna', 'Bert', 'Carl'), NOON);
    recentNames.learn(players('Anna'), NOON);
    expect(recentNames.players('')).toEqual(['Anna', 'Carl', 'Bert']);
  });

  test('put names that begin with what was typed before those that have it inside', async () => {
    const recentNames = await memory();
    recentNames.learn(players('Tomas', 'tom', 'Bottom', 'Custom', 'Other'), NOON);
    expect(recentNames.players('TOM')).toEqual(['tom', 'Tomas', 'Custom', 'Bottom']);
  });

  test('ignore case, marks, colour codes and compatibility forms on both sides', async () => {
    const recentNames = await memory();
    recentNames.learn(players('Jörg', 'ЁЛКА', '^1Red^9Fox', 'fullwidth'), NOON);
    expect(recentNames.players('jorg')).toEqual(['Jörg']);
    expect(recentNames.players('JÖR')).toEqual(['Jörg']);
    expect(recentNames.players('елк')).toEqual(['ЁЛКА']);
    expect(recentNames.players('redf')).toEqual(['^1Red^9Fox']);
    expect(recentNames.players('^3fox')).toEqual(['^1Red^9Fox']);
    expect(recentNames.players('FULL')).toEqual(['fullwidth']);
  });

  test('show a name once, in the spelling seen last', async () => {
    const recentNames = await memory();
    recentNames.learn(players('driver', 'DRIVER', 'Driver'), NOON);
    expect(recentNames.players('dri')).toEqual(['Driver']);
  });

  test('show two drivers whose names differ in a mark', async () => {
    const recentNames = await memory();
    recentNames.learn(players('Jorg', 'Jörg'), NOON);
    expect(recentNames.players('jorg')).toEqual(['Jörg', 'Jorg']);
  });

  test('are at most 25', async () => {
    const recentNames = await memory();
    recentNames.learn(players(...Array.from({ length: 100 }, (_, index) => `name ${index}`)), NOON);
    expect(recentNames.players('name')).toHaveLength(25);
    expect(recentNames.players('name')[0]).toBe('name 99');
    expect(recentNames.players('9')).toHaveLength(19);
  });

  test('are the ones that a plain search over every name finds, after any history', () => {
    const name = fc.string({
      unit: fc.constantFrom('a', 'b', 'ä', '7', ' ', 'Ж', '\u{1f697}'),
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(fc.array(name, { maxLength: 60 }), name, (history, typed) => {
        const limit = 8;
        const index = createNameIndex({ names: limit, characters: 1000 });
        for (const each of history) index.add(each);
        const plain = (text: string) =>
          text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim().replace(/ +/g, ' ');
        // To the service a name's case does not matter, and its marks do.
        const driver = (text: string) => text.normalize('NFC').toLowerCase();
        const newest = history
          .toReversed()
          .filter(
            (each, at, all) =>
              plain(each) !== '' && all.findIndex((other) => driver(other) === driver(each)) === at,
          )
          .slice(0, limit);
        const begins = newest.filter((each) => plain(each).startsWith(plain(typed)));
        const holds = newest.filter((each) => !begins.includes(each) && plain(each).includes(plain(typed)));
        expect(index.search(typed).map((found) => found.name)).toEqual([...begins, ...holds]);
        expect(index.all().map((found) => found.name)).toEqual(newest.toReversed());
      }),
    );
  });
});

describe('suggestions for a VIN', () => {
  test('come with the model as far as it was ever told', async () => {
    const recentNames = await memory();
    recentNames.learn(
      {
        players: [],
        vins: [
          { vin: 'AB12C', type: 'XRG' },
          { vin: 'AB99Z', type: null },
        ],
      },
      NOON,
    );
    recentNames.learn({ players: [], vins: [{ vin: 'AB12C', type: null }] }, NOON);
    expect(recentNames.vins('ab')).toEqual([
      { vin: 'AB12C', type: 'XRG' },
      { vin: 'AB99Z', type: null },
    ]);
  });
});

describe('what was seen', () => {
  test('is there again after a restart, in the same order', async () => {
    const store = new Keyv();
    const before = await memory(store);
    before.learn({ players: ['Anna', 'Bert'], vins: [{ vin: 'AB12C', type: 'XRG' }] }, NOON);
    await before.save();
    const after = await memory(store);
    expect(after.players('')).toEqual(['Bert', 'Anna']);
    expect(after.vins('')).toEqual([{ vin: 'AB12C', type: 'XRG' }]);
  });

  test('is written only when there is something new', async () => {
    const store = new Keyv();
    const recentNames = await memory(store);
    await recentNames.save();
    expect(await store.get('all')).toBeUndefined();
    recentNames.learn(players('Anna'), NOON);
    await recentNames.save();
    await store.clear();
    await recentNames.save();
    expect(await store.get('all')).toBeUndefined();
  });

  test('starts empty over a stored value that cannot be read', async () => {
    const store = new Keyv();
    await store.set('all', { players: 'broken' });
    expect((await memory(store)).players('')).toEqual([]);
  });

  test('lives on in memory while the store fails, which is reported and tried again', async () => {
    const store = new Keyv({ throwOnErrors: true, emitErrors: false });
    const failures: unknown[] = [];
    const recentNames = await openRecentNames(store, {
      now,
      failed: (error) => failures.push(error),
    });
    const set = store.opts.store.set;
    store.opts.store.set = () => {
      throw new Error('disk full');
    };
    recentNames.learn(players('Anna'), NOON);
    await recentNames.save();
    expect(failures).toHaveLength(1);
    expect(recentNames.players('an')).toEqual(['Anna']);
    store.opts.store.set = set;
    await recentNames.save();
    expect((await memory(store)).players('')).toEqual(['Anna']);
  });

  test('is written in small parts, and read from all of them in the same order', async () => {
    const store = new Keyv();
    const many = Array.from({ length: 11_000 }, (_, index) => `driver ${index}`);
    const nicknames = many.slice(0, 6000).map((username) => ({ username, nickname: `nick of ${username}` }));
    const before = await memory(store);
    before.learn({ ...players(...many), nicknames }, NOON);
    await before.save();
    for (const part of ['all', 'all 1', 'all 2'])
      expect(JSON.stringify(await store.get(part)).length).toBeLessThan(500_000);
    const after = await memory(store);
    expect(after.players('')).toEqual(many.slice(-25).toReversed());
    expect(after.players('driver 0')).toEqual(['driver 0']);
    expect(after.nicknameOf('driver 5999')).toBe('nick of driver 5999');
  });

  test('that is less than before leaves nothing of it behind', async () => {
    const store = new Keyv();
    const before = await openRecentNames(store, { now, failed });
    before.learn(players(...Array.from({ length: 11_000 }, (_, index) => `driver ${index}`)), NOON);
    await before.save();
    const fewer = await openRecentNames(store, { now, failed, limits: { names: 10, characters: 1000 } });
    fewer.learn(players('Anna'), NOON);
    await fewer.save();
    expect((await memory(store)).players('driver 4')).toEqual([]);
  });

  test('by another process is learned and kept where both save to one place', async () => {
    const store = new Keyv();
    const one = await openRecentNames(store, { now, failed, shared: true });
    const two = await openRecentNames(store, { now, failed, shared: true });
    one.learn(players('Anna'), NOON);
    await one.save();
    two.learn({ players: ['Bert'], vins: [{ vin: 'AB12C', type: 'FZR' }] }, NOON);
    await two.save();
    expect(two.players('')).toEqual(expect.arrayContaining(['Anna', 'Bert']));
    one.learn(players('Carl'), NOON);
    await one.save();
    expect(one.players('').toSorted()).toEqual(['Anna', 'Bert', 'Carl']);
    expect(one.vins('AB')).toEqual([{ vin: 'AB12C', type: 'FZR' }]);
    // And neither has lost anything of the other for who comes later.
    expect((await memory(store)).players('').toSorted()).toEqual(['Anna', 'Bert', 'Carl']);
  });

  test('takes a bounded number of bytes, whatever the service tells', async () => {
    const store = new Keyv();
    const recentNames = await memory(store);
    for (let index = 0; index < 200; index += 1) {
      const huge = `${index}`.padEnd(1_900_000, 'x');
      recentNames.learn({ players: [huge], vins: [{ vin: `A${index}`, type: huge }] }, NOON);
      recentNames.learn({ players: [], vins: [{ vin: huge, type: null }] }, NOON);
    }
    expect(recentNames.players('')).toEqual([]);
    expect(recentNames.vins('A199')).toEqual([{ vin: 'A199', type: null }]);
    await recentNames.save();
    expect(JSON.stringify(await store.get('all')).length).toBeLessThan(5000);

    for (let index = 0; index < 50_000; index += 1) {
      const long = `${index}`.padStart(100, '\u20ac');
      recentNames.learn({ players: [long], vins: [{ vin: long, type: '\u20ac'.repeat(64) }] }, NOON);
    }
    await recentNames.save();
    let bytes = 0;
    for (let part = 1, saved = await store.get('all'); saved !== undefined; part += 1) {
      bytes += Buffer.byteLength(JSON.stringify(saved));
      saved = await store.get(`all ${part}`);
    }
    expect(bytes).toBeLessThan(6_500_000);
    expect(recentNames.players('')[0]).toContain('49999');
    // What was saved is bounded as well when it is read.
    await store.clear();
    await store.set('all', {
      nicknames: [],
      players: ['y'.repeat(1_900_000), 'Anna'],
      vins: [['AB12C', 'z'.repeat(1_900_000)]],
    });
    const restored = await memory(store);
    expect(restored.players('')).toEqual(['Anna']);
    expect(restored.vins('')).toEqual([{ vin: 'AB12C', type: null }]);
  });

  test.each([
    [100, 64, true],
    [101, 65, false],
  ])('has names of %i and models of %i letters: %s', async (length, typeLength, isKept) => {
    const recentNames = await memory();
    const [name, type] = ['n'.repeat(length), 't'.repeat(typeLength)];
    const vins = [name, 'AB12C'].map((vin) => ({ vin, type }));
    const nicknames = [
      { username: name, nickname: 'short' },
      { username: 'short', nickname: name },
    ];
    recentNames.learn({ players: [name], vins, nicknames }, NOON);
    const found = {
      players: recentNames.players(''),
      vins: recentNames.vins(''),
      nicknames: [recentNames.nicknameOf(name), recentNames.nicknameOf('short')],
    };
    expect(found).toEqual({
      players: isKept ? [name] : [],
      vins: isKept ? [vins[1], vins[0]] : [{ vin: 'AB12C', type: null }],
      nicknames: isKept ? ['short', name] : [null, null],
    });
  });

  test('forgets the oldest beyond its limit', async () => {
    const recentNames = await memory(new Keyv(), 3);
    recentNames.learn(players('a', 'b', 'c', 'd', 'b', 'e'), NOON);
    expect(recentNames.players('')).toEqual(['e', 'b', 'd']);
  });
});

describe('what was nearly typed', () => {
  test('is offered, the nearest first', async () => {
    const recentNames = await memory();
    recentNames.learn(players('mad_max', 'madmax', 'mad_mix_99', 'somebody'), NOON);
    expect(recentNames.playersNear('mad_mxa')).toEqual(['mad_max', 'madmax']);
    expect(recentNames.playersNear('Jorg')).toEqual([]);
  });

  test('is nothing where the very name was seen, in whatever case', async () => {
    const recentNames = await memory();
    recentNames.learn(players('Jörg', 'Jörn'), NOON);
    expect(recentNames.playersNear('JÖRG')).toEqual([]);
    // To the service this is another driver, and it knows none of that name.
    expect(recentNames.playersNear('JORG')).toEqual(['Jörg', 'Jörn']);
    expect(recentNames.playersNear('Jörk')).toEqual(['Jörn', 'Jörg']);
  });

  test('is at most three, and of VINs comes with their models', async () => {
    const recentNames = await memory();
    const vins = ['AB12C', 'AB12D', 'AB12E', 'AB12F', 'ZZ9Z9'].map((vin) => ({ vin, type: 'XRT' }));
    recentNames.learn({ players: [], vins }, NOON);
    expect(recentNames.vinsNear('ab12x')).toEqual(
      ['AB12F', 'AB12E', 'AB12D'].map((vin) => ({ vin, type: 'XRT' })),
    );
  });

  test('is what a plain search over every name finds', () => {
    const unit = fc.constantFrom('a', 'b', 'c', 'd');
    const name = fc.string({ unit, minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 30 }), name, (names, typed) => {
        const index = createNameIndex({ names: 100, characters: 10_000 });
        for (const each of names) index.add(each);
        const slips = typed.length < 2 ? 0 : Math.min(3, Math.ceil(typed.length / 4));
        const near = names
          .toReversed()
          .map((shown) => ({ shown, distance: plainDistance(typed, shown) }))
          .filter(({ distance }) => distance <= slips)
          .toSorted((a, b) => a.distance - b.distance)
          .slice(0, 3)
          .map(({ shown }) => shown);
        expect(index.near(typed).map((found) => found.name)).toEqual(
          names.includes(typed) || slips === 0 ? [] : near,
        );
      }),
      { numRuns: 500 },
    );
  });
});

/** Optimal string alignment, as the textbook has it. */
function plainDistance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const [restA, restB] = [a.slice(1), b.slice(1)];
  const key = `${a} ${b}`;
  const known = distances.get(key);
  if (known !== undefined) return known;
  let best = Math.min(
    plainDistance(restA, restB) + (a[0] === b[0] ? 0 : 1),
    plainDistance(restA, b) + 1,
    plainDistance(a, restB) + 1,
  );
  if (a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0])
    best = Math.min(best, plainDistance(a.slice(2), b.slice(2)) + 1);
  distances.set(key, best);
  return best;
}
const distances = new Map<string, number>();

test('does not suggest licences with invisible or direction-changing characters', async () => {
  const recentNames = await memory();
  const licences = ['bus', 'x\u0000y', '\u202eabc', 'a\u2028b'];
  recentNames.learn({ ...players(), licences }, NOON);
  expect(recentNames.licences('')).toEqual(['bus']);
});

test('nothing of a hidden driver is suggested, called by name or named', async () => {
  const recentNames = await memory();
  const nicknames = ['Anna', 'Bert'].map((username) => ({ username, nickname: `[TC] ${username}` }));
  recentNames.learn({ ...players('Anna', 'Bert'), nicknames }, NOON);
  const names = withoutHidden(recentNames, (username) => username === 'Anna');
  expect(names.players('')).toEqual(['Bert']);
  expect(names.playersNear('Annna')).toEqual([]);
  expect(names.playersCalled('TC').map(({ username }) => username)).toEqual(['Bert']);
  expect(['Anna', 'Bert'].map(names.nicknameOf)).toEqual([null, '[TC] Bert']);
});
