import fc from 'fast-check';
import { Keyv } from 'keyv';
import { describe, expect, test } from 'vitest';
import { createNameIndex } from '../../src/store/names/name-index.ts';
import { openSeen, type SeenMemory } from '../../src/store/names/recent-names.ts';

function failed(error: unknown): never {
  throw error;
}

async function memory(store = new Keyv(), limit?: number): Promise<SeenMemory> {
  return openSeen(store, { failed, ...(limit === undefined ? {} : { limit }) });
}

const players = (...names: string[]) => ({ players: names, vins: [] });

describe('suggestions for a player', () => {
  test('begin with the newest while nothing is typed', async () => {
    const seen = await memory();
    seen.saw(players('Anna', 'Bert', 'Carl'));
    seen.saw(players('Anna'));
    expect(seen.players('')).toEqual(['Anna', 'Carl', 'Bert']);
  });

  test('put names that begin with what was typed before those that have it inside', async () => {
    const seen = await memory();
    seen.saw(players('Tomas', 'tom', 'Bottom', 'Custom', 'Other'));
    expect(seen.players('TOM')).toEqual(['tom', 'Tomas', 'Custom', 'Bottom']);
  });

  test('ignore case, marks, colour codes and compatibility forms on both sides', async () => {
    const seen = await memory();
    seen.saw(players('Jörg', 'ЁЛКА', '^1Red^9Fox', 'fullwidth'));
    expect(seen.players('jorg')).toEqual(['Jörg']);
    expect(seen.players('JÖR')).toEqual(['Jörg']);
    expect(seen.players('елк')).toEqual(['ЁЛКА']);
    expect(seen.players('redf')).toEqual(['^1Red^9Fox']);
    expect(seen.players('^3fox')).toEqual(['^1Red^9Fox']);
    expect(seen.players('FULL')).toEqual(['fullwidth']);
  });

  test('show a name once, in the spelling seen last', async () => {
    const seen = await memory();
    seen.saw(players('driver', 'DRIVER', 'Driver'));
    expect(seen.players('dri')).toEqual(['Driver']);
  });

  test('are at most 25', async () => {
    const seen = await memory();
    seen.saw(players(...Array.from({ length: 100 }, (_, index) => `name ${index}`)));
    expect(seen.players('name')).toHaveLength(25);
    expect(seen.players('name')[0]).toBe('name 99');
    expect(seen.players('9')).toHaveLength(19);
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
        const index = createNameIndex(limit);
        for (const each of history) index.add(each);
        const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
        const newest = history
          .toReversed()
          .filter(
            (each, at, all) =>
              plain(each) !== '' && all.findIndex((other) => plain(other) === plain(each)) === at,
          )
          .slice(0, limit);
        const begins = newest.filter((each) => plain(each).startsWith(plain(typed)));
        const holds = newest.filter((each) => !begins.includes(each) && plain(each).includes(plain(typed)));
        expect(index.search(typed)).toEqual([...begins, ...holds]);
        expect(index.names()).toEqual(newest.toReversed());
      }),
    );
  });
});

describe('suggestions for a VIN', () => {
  test('come with the model as far as it was ever told', async () => {
    const seen = await memory();
    seen.saw({
      players: [],
      vins: [
        { vin: 'AB12C', type: 'XRG' },
        { vin: 'AB99Z', type: null },
      ],
    });
    seen.saw({ players: [], vins: [{ vin: 'AB12C', type: null }] });
    expect(seen.vins('ab')).toEqual([
      { vin: 'AB12C', type: 'XRG' },
      { vin: 'AB99Z', type: null },
    ]);
  });
});

describe('what was seen', () => {
  test('is there again after a restart, in the same order', async () => {
    const store = new Keyv();
    const before = await memory(store);
    before.saw({ players: ['Anna', 'Bert'], vins: [{ vin: 'AB12C', type: 'XRG' }] });
    await before.save();
    const after = await memory(store);
    expect(after.players('')).toEqual(['Bert', 'Anna']);
    expect(after.vins('')).toEqual([{ vin: 'AB12C', type: 'XRG' }]);
  });

  test('is written only when there is something new', async () => {
    const store = new Keyv();
    const seen = await memory(store);
    await seen.save();
    expect(await store.get('all')).toBeUndefined();
    seen.saw(players('Anna'));
    await seen.save();
    await store.clear();
    await seen.save();
    expect(await store.get('all')).toBeUndefined();
  });

  test('starts empty over a stored value that cannot be read', async () => {
    const store = new Keyv();
    await store.set('all', { players: 'broken' });
    expect((await memory(store)).players('')).toEqual([]);
  });

  test('lives on in memory while the store fails, which is told and tried again', async () => {
    const store = new Keyv({ throwOnErrors: true, emitErrors: false });
    const failures: unknown[] = [];
    const seen = await openSeen(store, { failed: (error) => failures.push(error) });
    const set = store.opts.store.set;
    store.opts.store.set = () => {
      throw new Error('disk full');
    };
    seen.saw(players('Anna'));
    await seen.save();
    expect(failures).toHaveLength(1);
    expect(seen.players('an')).toEqual(['Anna']);
    store.opts.store.set = set;
    await seen.save();
    expect((await memory(store)).players('')).toEqual(['Anna']);
  });

  test('by another process is learned and kept where both save to one place', async () => {
    const store = new Keyv();
    const one = await openSeen(store, { failed, shared: true });
    const two = await openSeen(store, { failed, shared: true });
    one.saw(players('Anna'));
    await one.save();
    two.saw({ players: ['Bert'], vins: [{ vin: 'AB12C', type: 'FZR' }] });
    await two.save();
    expect(two.players('')).toEqual(expect.arrayContaining(['Anna', 'Bert']));
    one.saw(players('Carl'));
    await one.save();
    expect(one.players('').toSorted()).toEqual(['Anna', 'Bert', 'Carl']);
    expect(one.vins('AB')).toEqual([{ vin: 'AB12C', type: 'FZR' }]);
    // And neither has lost anything of the other for who comes later.
    expect((await memory(store)).players('').toSorted()).toEqual(['Anna', 'Bert', 'Carl']);
  });

  test('forgets the oldest beyond its limit', async () => {
    const seen = await memory(new Keyv(), 3);
    seen.saw(players('a', 'b', 'c', 'd', 'b', 'e'));
    expect(seen.players('')).toEqual(['e', 'b', 'd']);
  });
});

describe('what was nearly typed', () => {
  test('is offered, the nearest first', async () => {
    const seen = await memory();
    seen.saw(players('mad_max', 'madmax', 'mad_mix_99', 'somebody'));
    expect(seen.playersNear('mad_mxa')).toEqual(['mad_max', 'madmax']);
    expect(seen.playersNear('Jorg')).toEqual([]);
  });

  test('is nothing where the very name was seen, however it is written', async () => {
    const seen = await memory();
    seen.saw(players('Jörg', 'Jörn'));
    expect(seen.playersNear('^1JORG')).toEqual([]);
    expect(seen.playersNear('Jörk')).toEqual(['Jörn', 'Jörg']);
  });

  test('is at most three, and of VINs comes with their models', async () => {
    const seen = await memory();
    const vins = ['AB12C', 'AB12D', 'AB12E', 'AB12F', 'ZZ9Z9'].map((vin) => ({ vin, type: 'XRT' }));
    seen.saw({ players: [], vins });
    expect(seen.vinsNear('ab12x')).toEqual(['AB12F', 'AB12E', 'AB12D'].map((vin) => ({ vin, type: 'XRT' })));
  });

  test('is what a plain search over every name finds', () => {
    const unit = fc.constantFrom('a', 'b', 'c', 'd');
    const name = fc.string({ unit, minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 30 }), name, (names, typed) => {
        const index = createNameIndex(100);
        for (const each of names) index.add(each);
        const slips = typed.length < 2 ? 0 : Math.min(3, Math.ceil(typed.length / 4));
        const near = names
          .toReversed()
          .map((shown) => ({ shown, distance: plainDistance(typed, shown) }))
          .filter(({ distance }) => distance <= slips)
          .toSorted((a, b) => a.distance - b.distance)
          .slice(0, 3)
          .map(({ shown }) => shown);
        expect(index.near(typed)).toEqual(names.includes(typed) || slips === 0 ? [] : near);
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
