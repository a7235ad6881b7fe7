import fc from 'fast-check';
import { Keyv } from 'keyv';
import { describe, expect, test } from 'vitest';
import { createNameIndex } from '../../src/store/name-index.ts';
import { openSeen, type SeenMemory } from '../../src/store/seen.ts';

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

  test('forgets the oldest beyond its limit', async () => {
    const seen = await memory(new Keyv(), 3);
    seen.saw(players('a', 'b', 'c', 'd', 'b', 'e'));
    expect(seen.players('')).toEqual(['e', 'b', 'd']);
  });
});
